#include "fused/recurrent_network.h"

#include <algorithm>

namespace nmt {

RecurrentNetwork::RecurrentNetwork(const ModelConfig& model, const ParameterTable& parameters)
    : source_embedding_(parameters.at("emb_src.weight"), DropoutSite::kSourceEmbedding),
      target_embedding_(parameters.at("emb_dec.weight"), DropoutSite::kTargetEmbedding),
      encoder_(model, parameters),
      first_state_(model, parameters),
      decoder_(model, parameters),
      own_tokens_(parameters) {
  if (model.layer_norm) norm_.emplace(parameters, "norm_src");
}

ConstMatrix RecurrentNetwork::forward(const PackedBatch& share, const Dropout& dropout) {
  share_ = &share;
  const auto own_dropout = dropout.of(share);
  const auto source = source_embedding_.forward(share.source_ids, own_dropout);
  auto states = encoder_.forward(share.source, source, own_dropout);
  first_state_.forward(share, encoder_, states, decoder_.first_state(share.target.rows_at(0)));
  if (norm_) {
    const auto normalized = normalized_.take(states.rows, states.columns);
    norm_->begin(states.rows);
    norm_->forward(0, states, normalized);
    states = normalized;
  }
  target_input_ = share.target_input;
  const auto target = target_embedding_.forward(target_input_, own_dropout);
  return decoder_.forward(share, target, states, own_dropout,
                          [this](int64_t step, ConstMatrix attentional_hidden) {
                            return feed_own_tokens(step, attentional_hidden);
                          });
}

/// Replaces the inputs of `step` that are to be the model's own tokens; returns their rows.
std::vector<int64_t> RecurrentNetwork::feed_own_tokens(int64_t step,
                                                       ConstMatrix attentional_hidden) {
  const auto& target = share_->target;
  const auto& own = share_->own_inputs;
  const auto begin = std::lower_bound(own.begin(), own.end(), target.first_row(step));
  const auto end = std::lower_bound(begin, own.end(), target.first_row(step + 1));
  if (begin == end) return {};
  std::vector<int64_t> rows(begin, end);
  const auto& tokens = own_tokens_.inputs_of(*share_, rows, attentional_hidden);
  for (size_t i = 0; i < rows.size(); ++i) {
    target_input_[static_cast<size_t>(rows[i])] = tokens[i];
    target_embedding_.replace(rows[i], tokens[i]);
  }
  return rows;
}

bool RecurrentNetwork::backward_decoder(Matrix gradient, WeightGradients& gradients) {
  decoder_gradients_ = decoder_.backward(gradient, gradients);
  target_embedding_.backward(target_input_, decoder_gradients_.embedded, gradients);
  return false;
}

bool RecurrentNetwork::backward_encoder(WeightGradients& gradients) {
  if (norm_) {
    norm_->backward(0, decoder_gradients_.source_states);
    norm_->add_weight_gradients(gradients);
  }
  first_state_.backward(decoder_gradients_.state, decoder_gradients_.source_states, gradients);
  const auto of_source = encoder_.backward(share_->source_places, decoder_gradients_.state,
                                           decoder_gradients_.source_states, gradients);
  source_embedding_.backward(share_->source_ids, of_source, gradients);
  return false;
}

}  // namespace nmt
