#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "config/settings.h"
#include "fused/buffer.h"
#include "fused/inference_model.h"
#include "fused/parameter.h"
#include "fused/recurrent_inference_layer.h"
#include "fused/token_table.h"

namespace nmt {

/// The recurrent layers that read target tokens, packed: of a decoder or of a language model.
struct PackedDecoderStack {
  PackedDecoderStack(const ModelConfig& config, const ParameterTable& parameters, WeightType type);

  int64_t hidden_size() const { return layers.front().hidden.inputs(); }

  Cell cell;
  bool residual;                         // nn/recurrent.h
  std::unique_ptr<TokenTable> tokens;    // W_e emb + b of the first layer
  std::vector<RecurrentWeights> layers;  // the first one's W_ih holds the columns for what is fed
                                         // to it, if anything is
};

/// W_e emb + b of a first layer; without b if the cells are normalized, which add b later.
std::unique_ptr<TokenTable> make_token_table(const Parameter& embeddings,
                                             const RecurrentParameters& layer);

/// `input`: the part of W_ih to multiply by.
RecurrentWeights pack_recurrent_layer(const RecurrentParameters& parameters, ConstMatrix input,
                                      WeightType type);

/// Steps of such layers over hypotheses, for one thread. Hypotheses with a common parent share its
/// products.
class DecoderStackSession {
 public:
  explicit DecoderStackSession(const PackedDecoderStack& stack);

  /// States of a source before the first token, [layers, H]; without data they are zeros.
  struct FirstState {
    ConstMatrix hidden;
    ConstMatrix cell;
  };

  /// Finds the parents of the rows and gathers their states; first_of(row) is the FirstState of a
  /// row without a parent.
  template <typename FirstOf>
  void begin(const std::vector<DecoderRow>& rows, FirstOf&& first_of) {
    find_parents(rows);
    for (size_t l = 0; l < layers_.size(); ++l) {
      const auto layer = static_cast<int64_t>(l);
      gather(layers_[l].hidden.matrix(), layers_[l].before,
             [&](const auto& row) { return row_of(first_of(row).hidden, layer); });
      if (stack_.cell != Cell::kLstm) continue;
      gather(layers_[l].cell.matrix(), layers_[l].cell_before,
             [&](const auto& row) { return row_of(first_of(row).cell, layer); });
    }
  }

  /// The parents' rows of `from`, a matrix of the previous step; zeros for rows without a parent.
  ConstMatrix of_parents(ConstMatrix from, Buffer& gathered) const {
    return gather(from, gathered, [](const auto&) -> const float* { return nullptr; });
  }

  /// Takes the step that begin() prepared; fed [P, ·] rows of the parents, or empty. Returns the
  /// top layer's output [N, H].
  ConstMatrix advance(const std::vector<DecoderRow>& rows, ConstMatrix fed);

 private:
  struct Layer {
    Buffer hidden;       // [N, H]  h_t
    Buffer cell;         // [N, H]  c_t of an LSTM
    Buffer before;       // [P, H]  h_{t−1} of each parent
    Buffer cell_before;  // [P, H]
    RecurrentInferenceLayer recurrent;
  };

  static const float* row_of(ConstMatrix states, int64_t layer) {
    return states.data == nullptr ? nullptr : states.row(layer);
  }

  /// Row `parent` of `from` for each parent; at the beginning `first(row)`, or zeros if that is
  /// null.
  template <typename First>
  ConstMatrix gather(ConstMatrix from, Buffer& gathered, First&& first) const {
    const auto to = gathered.take(static_cast<int64_t>(distinct_.size()), stack_.hidden_size());
    for (size_t i = 0; i < distinct_.size(); ++i) {
      const auto& row = distinct_[i];
      const float* state = row.parent == DecoderRow::kBeginning ? first(row) : from.row(row.parent);
      float* own = to.row(static_cast<int64_t>(i));
      if (state != nullptr) {
        std::copy_n(state, to.columns, own);
      } else {
        std::fill_n(own, to.columns, 0.0F);
      }
    }
    return to;
  }

  void find_parents(const std::vector<DecoderRow>& rows);
  void run_layer(size_t index, int64_t count, ConstMatrix fed);
  ConstMatrix output_of(size_t layer) const;

  const PackedDecoderStack& stack_;
  std::vector<Layer> layers_;
  Buffer residual_output_;  // [N, H]  y_t of the layers so far, with residual connections
  std::vector<int32_t> last_tokens_;
  std::vector<const float*> addends_;
  std::vector<DecoderRow> distinct_;  // [P]  a row of each parent
  std::vector<int32_t> parents_;      // [N]  index in distinct_
  std::vector<int32_t> distinct_of_;  // by row of the previous step; −1: not a parent
};

}  // namespace nmt
