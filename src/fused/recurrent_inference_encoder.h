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

  Buffer keys;      // [S, H]  h_src W: the query needs no product
  Buffer contexts;  // [S, H]  h_src W_ccᵀ, with W_c = [W_ch ; W_cc]: their sum weighted by
                    // attention is W_cc c_t
  Buffer hidden;    // [layers, H]  the decoder's initial state
  Buffer cell;      // [layers, H]  of an LSTM
};

/// Encodes sentences, for one thread.
class RecurrentInferenceEncoder {
 public:
  explicit RecurrentInferenceEncoder(const RecurrentInferenceModel& model);

  /// Sentences of at least one token each -> one memory each, in their order.
  std::vector<std::unique_ptr<SourceMemory>> encode(
      const std::vector<const std::vector<int32_t>*>& sentences);

 private:
  struct Layer {
    Buffer hidden;  // [rows, H]
    Buffer cell;    // [rows, H]  of an LSTM
  };

  int64_t width() const { return model_.hidden_size() / 2; }
  bool has_cells() const { return model_.config().cell == Cell::kLstm; }
  void look_up(const PackedSequences& packed,
               const std::vector<const std::vector<int32_t>*>& sentences);
  void run_direction(const PackedSequences& packed, size_t layer, size_t direction);
  void project(const PackedWeight& weight, Buffer& to);
  std::unique_ptr<SourceMemory> take_out(const PackedSequences& packed, int64_t place) const;

  const RecurrentInferenceModel& model_;
  std::vector<Layer> layers_;
  std::vector<int32_t> tokens_;  // [rows]
  std::vector<const float*> addends_;
  RecurrentInferenceLayer recurrent_;
  Buffer input_;        // [P, H]    of a step
  Buffer before_;       // [P, H/2]  states of the step visited before
  Buffer cell_before_;  // [P, H/2]
  Buffer keys_;         // [rows, H]
  Buffer contexts_;     // [rows, H]
};

}  // namespace nmt
