#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/buffer.h"
#include "fused/model_predictor.h"

namespace nmt {

/// Predicts by several models: logits are
///
///   log Σ_m w_m p_m(y)  +  β log p_LM(y)
///
/// with the weights of the members and of the language model (Gulcehre et al. 2015, section 4.1).
/// Their softmax denominator counts as 1, also with a language model, although the sum is then not
/// normalized. The attention is the mean over the members that attend.
class EnsemblePredictor : public TokenPredictor {
 public:
  explicit EnsemblePredictor(const ModelEnsemble& models);

  SourceMemories encode(const SourceSentences& sentences) override;

  void step(const std::vector<DecoderRow>& rows, int64_t num_best) override;
  const TopTokens& top(int64_t row) const override { return top_[static_cast<size_t>(row)]; }
  float logit(int64_t row, int32_t token) const override;
  void copy_logits(int64_t row, float* logits) const override;

  const float* attention(int64_t row) const override;
  int64_t vocabulary_size() const override { return output_.vocabulary_size(); }

 private:
  struct Member {
    ModelPredictor predictor;
    double log_weight;
    std::vector<float> shifts = {};  // [N]  log weight − log denominator
  };

  bool has_language_model() const { return num_translators_ < members_.size(); }
  const std::vector<int32_t>* candidates(int64_t row) const {
    return rows_[static_cast<size_t>(row)].candidates;
  }
  bool find_best_among_lists(int64_t row, int64_t num_best);
  void find_best_of_all(int64_t row, int64_t num_best);
  /// logit_of(member): the member's logit of the token.
  template <typename LogitOf>
  float mixed_logit(int64_t row, LogitOf&& logit_of) const;
  void average_attention();

  const PackedOutputLayer& output_;  // of the first member
  std::vector<Member> members_;      // the language model comes last
  size_t num_translators_;
  float language_model_weight_;
  std::vector<DecoderRow> rows_;      // [N]  as given
  std::vector<DecoderRow> own_rows_;  // [N]  with a member's memories
  std::vector<TopTokens> top_;        // [N]
  std::vector<float> row_;            // [V]
  std::vector<float> no_bias_;        // [kBlockTokens]
  Buffer attention_;                  // [N, longest source]
  bool attends_ = false;              // whether a member attended in the last step
};

}  // namespace nmt
