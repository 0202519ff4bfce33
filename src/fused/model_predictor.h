#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/buffer.h"
#include "fused/candidate_logits.h"
#include "fused/step_logits.h"
#include "fused/token_predictor.h"

namespace nmt {

/// Predicts by one model: a session and the model's output layer.
class ModelPredictor : public TokenPredictor {
 public:
  explicit ModelPredictor(const InferenceModel& model);

  SourceMemories encode(const SourceSentences& sentences) override {
    return session_->encode(sentences);
  }

  void step(const std::vector<DecoderRow>& rows, int64_t num_best) override;
  const TopTokens& top(int64_t row) const override { return top_[static_cast<size_t>(row)]; }
  float logit(int64_t row, int32_t token) const override;
  /// The logits [N, tokens] of a block of the vocabulary, after a step without candidates.
  Matrix logits(size_t block) const { return logits_.block(block); }
  void copy_logits(int64_t row, float* logits) const override;

  void exclude(const std::vector<int64_t>& tokens) override;
  void step_greedy(const std::vector<DecoderRow>& rows) override;
  Likeliest likeliest(int64_t row) const override;

  const float* attention(int64_t row) const override { return session_->attention(row); }
  int64_t vocabulary_size() const override { return output_.vocabulary_size(); }

 private:
  void find_best(ConstMatrix attentional_hidden);
  void find_best_candidate(int64_t row);

  const InferenceModel& model_;
  const PackedOutputLayer& output_;
  std::unique_ptr<InferenceSession> session_;
  StepLogits logits_;
  CandidateLogits candidate_logits_;
  bool has_candidates_ = false;     // the last step: its logits are in candidate_logits_
  std::vector<TopTokens> top_;      // [N]
  Buffer block_;                    // [N, tokens] of a block of logits, greedy steps only
  std::vector<float> greedy_bias_;  // [V], −∞ for excluded tokens
  std::vector<TokenLogit> best_;    // [N], greedy steps without copying only
  std::vector<float> end_logits_;   // [N], likewise
  BoundedArgmax::Workspace argmax_workspace_;
};

}  // namespace nmt
