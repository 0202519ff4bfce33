#include "fused/language_network.h"

#include "config/layers.h"
#include "fused/sequence_walk.h"
#include "kernels/elementwise.h"

namespace nmt {
namespace {

/// The dropout site of a layer's output.
DropoutSite site_after(size_t layer, size_t num_layers) {
  return layer + 1 < num_layers ? DropoutSite::kDecoder : DropoutSite::kAttentional;
}

}  // namespace

LanguageNetwork::LanguageNetwork(const ModelConfig& model, const ParameterTable& parameters)
    : embedding_(parameters.at("emb_dec.weight"), DropoutSite::kTargetEmbedding),
      cell_(model.cell),
      residual_(model.residual) {
  for (int64_t layer = 0; layer < num_decoder_layers(model); ++layer) {
    const auto found = find_recurrent_parameters(parameters, "decoder.rnn.", layer);
    layers_.push_back({SequenceLayer(cell_, found, kForward), {}, {}, {}, {}});
  }
}

ConstMatrix LanguageNetwork::forward(const PackedBatch& share, const Dropout& dropout) {
  share_ = &share;
  dropout_ = dropout.of(share);
  ConstMatrix input = embedding_.forward(share.target_input, dropout_);
  for (size_t l = 0; l < layers_.size(); ++l) {
    auto& layer = layers_[l];
    layer.input = input;
    const auto output = layer.output.take(input.rows, layer.recurrent.hidden_size());
    layer.recurrent.forward(share.target, input,
                            {dropout_, DropoutSite::kDecoderState, static_cast<int64_t>(l)},
                            output);
    const auto states = residual_ ? add_layer(l, output, residual_output_) : output;
    const auto dropped = layer.dropped.take(states.rows, states.columns);
    copy_rows(states, dropped);
    dropout_.apply(site_after(l, layers_.size()), static_cast<int64_t>(l), 0, dropped);
    input = dropped;
  }
  return input;
}

bool LanguageNetwork::backward_decoder(Matrix gradient, WeightGradients& gradients) {
  Matrix above;  // [rows, H]  the gradient of the output of the layer above
  for (size_t l = layers_.size(); l-- > 0;) {
    auto& layer = layers_[l];
    dropout_.apply(site_after(l, layers_.size()), static_cast<int64_t>(l), 0, gradient);
    if (residual_ && l + 1 < layers_.size()) add(above, gradient);
    above = gradient;
    const auto carried = [&](Buffer& buffer) {
      return buffer.take_zeros(share_->target.num_sequences(), layer.recurrent.hidden_size());
    };
    layer.recurrent.backward(gradient, carried(carried_),
                             cell_ == Cell::kLstm ? carried(carried_cell_) : Matrix(), gradients);
    gradient = layer.input_gradient.take(layer.input.rows, layer.input.columns);
    layer.recurrent.input_gradient(WriteMode::kOverwrite, gradient);
  }
  embedding_.backward(share_->target_input, gradient, gradients);
  return false;
}

}  // namespace nmt
