#include "fused/transformer_network.h"

#include <string>

#include "config/layers.h"
#include "kernels/elementwise.h"

namespace nmt {

TransformerNetwork::TransformerNetwork(const ModelConfig& model, const ParameterTable& parameters)
    : positions_(model.hidden_size),
      source_(make_side(model, parameters, true)),
      target_(make_side(model, parameters, false)),
      own_tokens_(parameters) {}

TransformerNetwork::Side TransformerNetwork::make_side(const ModelConfig& model,
                                                       const ParameterTable& parameters,
                                                       bool is_source) {
  Side side;
  side.embedding = parameters.at(is_source ? "emb_src.weight" : "emb_dec.weight");
  side.embedding_site = is_source ? DropoutSite::kSourceEmbedding : DropoutSite::kTargetEmbedding;
  side.layer_site = is_source ? DropoutSite::kEncoder : DropoutSite::kDecoder;
  const int64_t num_layers = is_source ? model.num_layers : num_decoder_layers(model);
  for (int64_t layer = 0; layer < num_layers; ++layer) {
    const auto prefix = (is_source ? "encoder." : "decoder.") + std::to_string(layer) + ".";
    side.layers.emplace_back(model, parameters, side.layer_site, layer, prefix);
  }
  if (model.pre_norm) side.norm.emplace(parameters, is_source ? "norm_src" : "norm_dec");
  return side;
}

ConstMatrix TransformerNetwork::forward(const PackedBatch& share, const Dropout& dropout) {
  dropout_ = dropout;
  source_.rows = SentenceRows(share.source);
  source_.ids = source_.rows.gather(share.source_ids);
  const auto source_states = run_layers(source_, {});
  target_.rows = SentenceRows(share.target);
  target_.ids = target_.rows.gather(share.target_input);
  attended_ = source_.rows.of_sentences(share.source_of);
  const SourceStates source = {&attended_, source_states};
  if (!share.own_inputs.empty()) feed_own_tokens(share, source);
  const auto attentional_hidden = pack_target(run_layers(target_, source));
  target_.layers_left = target_.layers.size();
  source_.layers_left = source_.layers.size();
  return attentional_hidden;
}

/// A first pass over the given tokens predicts the model's own tokens (Mihaylova and Martins 2019).
void TransformerNetwork::feed_own_tokens(const PackedBatch& share, const SourceStates& source) {
  const auto& tokens =
      own_tokens_.inputs_of(share, share.own_inputs, pack_target(run_layers(target_, source)));
  auto inputs = share.target_input;
  for (size_t i = 0; i < tokens.size(); ++i) {
    inputs[static_cast<size_t>(share.own_inputs[i])] = tokens[i];
  }
  target_.ids = target_.rows.gather(inputs);
}

Matrix TransformerNetwork::pack_target(ConstMatrix states) {
  const auto packed = attentional_hidden_.take(states.rows, width());
  target_.rows.scatter(states, packed);
  return packed;
}

void TransformerNetwork::embed(Side& side) {
  const auto embedded = side.embedded.take(side.rows.num_rows(), width());
  for (int64_t row = 0; row < embedded.rows; ++row) {
    positions_.scale(side.embedding.value.row(side.ids[static_cast<size_t>(row)]),
                     embedded.row(row));
  }
  dropout_.apply_to_words(side.embedding_site, 0, embedded);
  for (size_t i = 0; i < side.rows.num_sentences(); ++i) {
    for (int64_t position = 0; position < side.rows.length(i); ++position) {
      add({positions_.row(position), 1, width()},
          embedded.row_range(side.rows.first_row(i) + position, 1));
    }
  }
  dropout_.apply(side.embedding_site, 0, 0, embedded);
}

Matrix TransformerNetwork::run_layers(Side& side, const SourceStates& source) {
  embed(side);
  auto states = side.embedded.matrix();
  for (size_t layer = 0; layer < side.layers.size(); ++layer) {
    if (dropout_.skips_layer(side.layer_site, static_cast<int64_t>(layer))) continue;
    states = side.layers[layer].forward(side.rows, states, source, dropout_, workspace_);
  }
  if (!side.norm) return states;
  const auto normalized = side.output.take(states.rows, states.columns);
  side.norm->begin(states.rows);
  side.norm->forward(0, states, normalized);
  return normalized;
}

bool TransformerNetwork::backward_decoder(Matrix gradient, WeightGradients& gradients) {
  if (target_.layers_left == target_.layers.size()) {
    target_.rows.gather(gradient, target_.gradient.take(gradient.rows, width()));
    source_.gradient.take_zeros(source_.rows.num_rows(), width());
  }
  return backward_layer(target_, source_.gradient.matrix(), gradients);
}

bool TransformerNetwork::backward_encoder(WeightGradients& gradients) {
  return backward_layer(source_, {}, gradients);
}

/// Runs the next layer from the top; returns whether there are more.
bool TransformerNetwork::backward_layer(Side& side, Matrix source_gradient,
                                        WeightGradients& gradients) {
  const auto& gradient = side.gradient.matrix();
  if (side.norm && side.layers_left == side.layers.size()) {
    side.norm->backward(0, gradient);
    side.norm->add_weight_gradients(gradients);
  }
  const size_t layer = --side.layers_left;
  if (!dropout_.skips_layer(side.layer_site, static_cast<int64_t>(layer))) {
    side.layers[layer].backward(gradient, source_gradient, dropout_, workspace_, gradients);
  }
  if (layer > 0) return true;
  backward_embedding(side, gradients);
  return false;
}

void TransformerNetwork::backward_embedding(Side& side, WeightGradients& gradients) {
  const auto& gradient = side.gradient.matrix();
  dropout_.apply(side.embedding_site, 0, 0, gradient);
  dropout_.apply_to_words(side.embedding_site, 0, gradient);
  for (int64_t row = 0; row < gradient.rows; ++row) {
    positions_.scale(gradient.row(row), gradient.row(row));
  }
  gradients.add_rows(side.embedding.gradient, side.ids, gradient);
}

}  // namespace nmt
