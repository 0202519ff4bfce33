#include "fused/recurrent_network.h"

namespace nmt {

RecurrentNetwork::RecurrentNetwork(const ModelConfig& model, const ParameterTable& parameters)
    : source_embedding_(parameters.at("emb_src.weight"), DropoutSite::kSourceEmbedding),
      target_embedding_(parameters.at("emb_dec.weight"), DropoutSite::kTargetEmbedding),
      encoder_(model, parameters),
      decoder_(model, parameters) {
  if (model.layer_norm) norm_.emplace(parameters, "norm_src");
}

ConstMatrix RecurrentNetwork::forward(const PackedBatch& share, const Dropout& dropout) {
  share_ = &share;
  dropout_ = dropout;
  const auto source = source_embedding_.forward(share.source_ids, dropout);
  auto states = encoder_.forward(share.source, source, dropout);
  if (norm_) {
    const auto normalized = normalized_.take(states.rows, states.columns);
    norm_->begin(states.rows);
    norm_->forward(0, states, normalized);
    states = normalized;
  }
  auto& first_state = decoder_.first_state(share.target.num_sequences());
  encoder_.final_state(share.source, share.source_place, first_state);
  const auto target = target_embedding_.forward(share.target_input, dropout);
  return decoder_.forward(share, target, states, dropout);
}

bool RecurrentNetwork::backward_decoder(Matrix gradient, WeightGradients& gradients) {
  decoder_gradients_ = decoder_.backward(*share_, gradient, dropout_, gradients);
  target_embedding_.backward(share_->target_input, dropout_, decoder_gradients_.embedded,
                             gradients);
  return false;
}

bool RecurrentNetwork::backward_encoder(WeightGradients& gradients) {
  if (norm_) {
    norm_->backward(0, decoder_gradients_.values);
    norm_->add_weight_gradients(gradients);
  }
  const auto of_source =
      encoder_.backward(share_->source, share_->source_place, decoder_gradients_.state,
                        decoder_gradients_.values, dropout_, gradients);
  source_embedding_.backward(share_->source_ids, dropout_, of_source, gradients);
  return false;
}

}  // namespace nmt
