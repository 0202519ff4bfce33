#pragma once

#include <cstdint>
#include <vector>

#include "fused/inference_encoder.h"
#include "fused/inference_model.h"

namespace nmt {

/// A hypothesis that wants its next token.
struct DecoderRow {
  const SourceMemory* source = nullptr;
  int64_t parent = kBeginning;  // row of the step before that it goes on from
  int32_t token = 0;            // the last one

  static constexpr int64_t kBeginning = -1;  // goes on from the source's first state
};

/// Steps of the decoder of nn/seq2seq.h over any rows, for one thread: hypotheses may come, go and
/// change places from step to step.
class InferenceDecoder {
 public:
  explicit InferenceDecoder(const InferenceModel& model);

  /// Takes a step; returns logits [N, V] without the output layer's bias. They stay, and may be
  /// written to, until the next step.
  Matrix step(const std::vector<DecoderRow>& rows);

  /// Attention of a row of the last step, one weight for each source token.
  const float* attention(int64_t row) const { return attention_.matrix().row(row); }

 private:
  struct Layer {
    Buffer hidden;       // [N, H]  h_t
    Buffer cell;         // [N, H]  c_t of an LSTM
    Buffer before;       // [N, H]  h_{t−1} of each row's parent
    Buffer cell_before;  // [N, H]
    Buffer from_input;   // [N, gates · H]
    Buffer from_hidden;  // [N, gates · H]
  };

  void gather(const std::vector<DecoderRow>& rows, int64_t padded);
  void run_layer(size_t index, int64_t padded);
  void attend_rows(const std::vector<DecoderRow>& rows);

  const InferenceModel& model_;
  std::vector<Layer> layers_;
  std::vector<int32_t> last_tokens_;
  std::vector<const float*> addends_;
  std::vector<int32_t> source_rows_;  // 0, 1, 2, …
  Buffer attentional_;                // [N, H]   h̃_t
  Buffer attentional_before_;         // [N, H]   h̃_{t−1} of each row's parent
  Buffer joined_;                     // [N, 2H]  [h_t ; c_t]
  Buffer attention_;                  // [N, longest source]
  Buffer logits_;                     // [N, V]
};

}  // namespace nmt
