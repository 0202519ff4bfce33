#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/buffer.h"
#include "fused/inference_model.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// Next tokens of hypotheses: a session and its model's output layer, for one thread.
class TokenPredictor {
 public:
  explicit TokenPredictor(const InferenceModel& model);

  std::vector<std::unique_ptr<SourceMemory>> encode(
      const std::vector<const std::vector<int32_t>*>& sentences) {
    return session_->encode(sentences);
  }

  /// Takes a step and finds the `num_best` likeliest next tokens of each row. The accessors below
  /// refer to the last step.
  void step(const std::vector<DecoderRow>& rows, int64_t num_best);

  /// Takes a step and finds only the likeliest token of each row, not its probability, which is
  /// faster. bias [V]: the output layer's, with −∞ for excluded tokens; EOS should be one of them,
  /// since likeliest() gives its logit separately.
  void step_greedy(const std::vector<DecoderRow>& rows, const float* bias);

  /// Result of step_greedy().
  struct Likeliest {
    TokenLogit best;
    float end_logit = 0.0F;  // of EOS
  };
  Likeliest likeliest(int64_t row) const {
    return {best_[static_cast<size_t>(row)], end_logits_[static_cast<size_t>(row)]};
  }

  /// Of step(), like logit().
  const TopTokens& top(int64_t row) const { return top_[static_cast<size_t>(row)]; }

  float logit(int64_t row, int32_t token) const;

  /// One weight for each source token; null if the model has no attention.
  const float* attention(int64_t row) const { return session_->attention(row); }

 private:
  void find_best(ConstMatrix attentional_hidden, const float* bias);
  Matrix logit_block(size_t block) const;

  const PackedOutputLayer& output_;
  std::unique_ptr<InferenceSession> session_;
  Buffer logits_;                  // [V, N]: one block [N, tokens] after another
  std::vector<TopTokens> top_;     // [N]
  std::vector<TokenLogit> best_;   // [N], greedy steps only
  std::vector<float> end_logits_;  // [N], likewise
  Int8Shortlist::Workspace shortlist_workspace_;
};

}  // namespace nmt
