#pragma once

#include <cstdint>
#include <vector>

#include "fused/inference_encoder.h"
#include "fused/inference_model.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// A hypothesis to be extended.
struct DecoderRow {
  const SourceMemory* source = nullptr;
  int64_t parent = kBeginning;  // its row in the previous step
  int32_t token = 0;            // the last one

  static constexpr int64_t kBeginning = -1;  // starts from the source's initial state
};

/// Steps of the decoder of nn/seq2seq.h over any rows, for one thread: hypotheses may be added,
/// removed and reordered between steps.
class InferenceDecoder {
 public:
  explicit InferenceDecoder(const InferenceModel& model);

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

  /// One weight for each source token.
  const float* attention(int64_t row) const { return attention_.matrix().row(row); }

 private:
  struct Layer {
    Buffer hidden;       // [N, H]  h_t
    Buffer cell;         // [N, H]  c_t of an LSTM
    Buffer before;       // [P, H]  h_{t−1} of each parent
    Buffer cell_before;  // [P, H]
    InferenceLayer recurrent;
  };

  void advance(const std::vector<DecoderRow>& rows);
  void find_parents(const std::vector<DecoderRow>& rows);
  void gather(const std::vector<DecoderRow>& rows);
  void run_layer(size_t index, int64_t count);
  void attend_rows(const std::vector<DecoderRow>& rows);
  void generate(int64_t count, int64_t num_best);
  void generate_best(const float* bias);
  Matrix logit_block(size_t block) const;

  const InferenceModel& model_;
  std::vector<Layer> layers_;
  std::vector<int32_t> last_tokens_;
  std::vector<const float*> addends_;
  std::vector<DecoderRow> distinct_;  // [P]  a row of each parent
  std::vector<int32_t> parents_;      // [N]  index in distinct_
  std::vector<int32_t> distinct_of_;  // by row of the previous step; −1: not a parent
  std::vector<int32_t> source_rows_;  // 0, 1, 2, …
  Buffer attentional_hidden_;         // [N, H]   h̃_t
  Buffer attentional_hidden_before_;  // [P, H]   h̃_{t−1} of each parent
  Buffer context_;                    // [1, H]
  Buffer attention_;                  // [N, longest source]
  Buffer logits_;                     // [V, N]: one block [N, tokens] after another
  std::vector<TopTokens> top_;        // [N]
  std::vector<TokenLogit> best_;      // [N], greedy steps only
  std::vector<float> end_logits_;     // [N], likewise
  Int8Shortlist::Workspace shortlist_workspace_;
};

}  // namespace nmt
