#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "fused/attention.h"
#include "fused/buffer.h"
#include "fused/dropout.h"
#include "fused/layer_norm.h"
#include "fused/packed_batch.h"
#include "fused/parameter.h"
#include "fused/recurrent_layer.h"
#include "fused/weight_gradients.h"

namespace nmt {

/// The gradients that leave the decoder.
struct DecoderGradients {
  Matrix embedded;       // [target rows, E]
  Matrix source_states;  // [source rows, H]  of h_src
  StackState state;      // of the initial state, by target row of step 0
};

/// The decoder of nn/recurrent_seq2seq.h, teacher-forced over packed targets, with hand-written
/// forward and backward passes: recurrent layers, attention, h̃_t = tanh(W_c [h_t ; c_t] + b_c),
/// with optional attention, input feeding and layer normalization.
///
/// Only the sequential part is computed step by step: W_ih [emb_t ; h̃_{t−1}] is W_e emb_t, computed
/// for all steps together, plus W_fed h̃_{t−1}.
class FusedDecoder {
 public:
  FusedDecoder(const ModelConfig& model, const ParameterTable& parameters);

  /// Memory for the decoder's initial state, [B, H] a layer, to be filled by the encoder.
  StackState& first_state(int64_t num_sequences);

  FusedAttention& attention() { return attention_; }

  /// Called before each step but the first, with h̃ of all rows; only those of earlier steps are
  /// computed yet. May change the step's rows of `embedded`; returns the changed rows.
  using ReplaceInputs =
      std::function<std::vector<int64_t>(int64_t step, ConstMatrix attentional_hidden)>;

  /// embedded [target rows, E], source_states [source rows, H] h_src -> h̃ [target rows, H]; all
  /// and the batch must stay unchanged until backward().
  ConstMatrix forward(const PackedBatch& batch, ConstMatrix embedded, ConstMatrix source_states,
                      const Dropout& dropout, const ReplaceInputs& replace_inputs);

  /// Takes the gradient of h̃, which it overwrites; records the parameters' gradients.
  DecoderGradients backward(Matrix gradient, WeightGradients& gradients);

 private:
  struct Layer {
    RecurrentLayer recurrent;
    Buffer output;         // [target rows, H]  h_t, unless it is next to the contexts
    Buffer dropped;        // [target rows, H]  input of the next layer
    Buffer previous;       // [target rows, H]  states of the rows' parents
    Buffer previous_cell;  // [target rows, H]
    Buffer first_state;    // [B, H]
    Buffer first_cell;     // [B, H]
    Buffer carried;        // [rows of a step, H]  gradient of the state between two steps
    Buffer carried_cell;   // [rows of a step, H]
  };

  int64_t hidden_size() const { return concat_weight_.value.rows; }
  /// W_c's columns for c_t.
  int64_t context_size() const { return concat_weight_.value.columns - hidden_size(); }
  bool has_cells() const { return cell_ == Cell::kLstm; }
  bool is_next_to_contexts(size_t layer) const;
  Matrix output_of(size_t layer) const;
  /// [target rows, H]  h_t as attention and W_c read it.
  Matrix query_states() const { return joined_.matrix().column_range(0, hidden_size()); }
  Matrix contexts(const Buffer& joined) const {
    return joined.matrix().column_range(hidden_size(), context_size());
  }
  /// The rows of a step, of a matrix [target rows, ·].
  Matrix rows_of_step(int64_t step, Matrix all) const;
  Matrix gather_parents(int64_t step, ConstMatrix all, ConstMatrix first,
                        const Buffer& gathered) const;
  void sum_of_children(int64_t step, Buffer& carried);

  void begin(ConstMatrix source_states);
  void replace_input_products(const std::vector<int64_t>& rows);
  void forward_layers(int64_t step);
  void forward_attentional_hidden(int64_t step);
  void backward_attentional_hidden(int64_t step, Matrix gradient);
  void backward_layers(int64_t step);
  void add_weight_gradients(ConstMatrix projection_gradient, WeightGradients& gradients);
  Parameter embedded_weight() const;
  Parameter fed_weight() const;

  Cell cell_;
  bool input_feeding_;
  bool residual_;  // nn/recurrent.h
  std::vector<Layer> layers_;
  std::optional<FusedLayerNorm> norm_;  // of the top layer's output
  FusedAttention attention_;
  Parameter concat_weight_;  // W_c [H, 2H], [H, H] without attention
  Parameter concat_bias_;    // b_c [1, H]

  StackState first_state_;
  const PackedBatch* batch_ = nullptr;
  Dropout dropout_;
  ConstMatrix embedded_;
  Buffer replaced_inputs_;       // [replaced rows of a step, E]
  Buffer replaced_products_;     // [replaced rows of a step, gates · H]
  Buffer joined_;                // [target rows, 2H]  [h_t ; c_t], h_t normalized with layer_norm;
                                 // with residual connections y_t of the layers so far
  Buffer joined_gradient_;       // [target rows, 2H]
  Buffer projected_;             // [target rows, H]   tanh(…) before dropout
  Buffer attentional_hidden_;    // [target rows, H]   h̃_t
  Buffer previous_attentional_;  // [target rows, H]  h̃_{t−1}
  Buffer fed_gradient_;          // [rows of a step, H]  of h̃_{t−1} through the step
  Buffer embedded_gradient_;     // [target rows, E]
  Buffer layer_gradient_;        // [rows of a step, H]  of a layer's output through the layer above
  Buffer of_children_;           // [rows of a step, H]
};

}  // namespace nmt
