#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/buffer.h"
#include "fused/packed_sequences.h"
#include "fused/recurrent_inference_layer.h"
#include "fused/recurrent_inference_model.h"

namespace nmt {

/// An encoded source.
struct RecurrentMemory : SourceMemory {
  using SourceMemory::SourceMemory;

  Buffer keys;    // [S, H]  see PackedAttention; none without attention
  Buffer values;  // [S, H]
  Buffer hidden;  // [D, H]  the decoder's initial state, of its D layers
  Buffer cell;    // [D, H]  of an LSTM
};

/// Encodes sentences (nn/encoder.h), for one thread.
class RecurrentInferenceEncoder {
 public:
  explicit RecurrentInferenceEncoder(const RecurrentInferenceModel& model);

  SourceMemories encode(const SourceSentences& sentences);

 private:
  struct Layer {
    Buffer hidden;  // [rows, 2D]  h of both directions, D each
    Buffer cell;    // [rows, 2D]  of an LSTM
  };

  bool summed() const { return model_.config.encoder_output == EncoderOutput::kSummed; }
  int64_t width() const { return summed() ? model_.hidden_size() : model_.hidden_size() / 2; }
  bool has_cells() const { return model_.config.cell == Cell::kLstm; }
  void look_up(const PackedSequences& packed, const SourceSentences& sentences);
  void run_layer(const PackedSequences& packed, size_t layer);
  void run_direction(const PackedSequences& packed, size_t layer, size_t direction);
  ConstMatrix output_of(size_t layer) const;
  ConstMatrix top_states();
  std::unique_ptr<SourceMemory> take_out(const PackedSequences& packed, int64_t place);
  void set_first_state(const PackedSequences& packed, int64_t place, RecurrentMemory& memory);

  const RecurrentInferenceModel& model_;
  std::vector<Layer> layers_;
  std::vector<int32_t> tokens_;  // [rows]
  std::vector<const float*> addends_;
  RecurrentInferenceLayer recurrent_;
  Buffer before_;           // [P, D]    states of the step visited before
  Buffer cell_before_;      // [P, D]
  Buffer residual_output_;  // [rows, 2D]  y of the layers so far, with residual connections
  Buffer states_;           // [rows, H]  h_src, unless it is the top layer's output itself
  Buffer keys_;             // [rows, H]
  Buffer values_;           // [rows, H]
  Buffer bridged_;          // [D, H]  what the bridge reads: f^l, or the mean of h_src
};

}  // namespace nmt
