#include "fused/seq2seq.h"

namespace nmt {

FusedSeq2Seq::FusedSeq2Seq(const FusedOptions& options, const ParameterTable& parameters)
    : network_(make_fused_network(options, parameters)),
      generator_loss_(parameters),
      weight_gradients_(options.precision) {}

void FusedSeq2Seq::forward(const PackedBatch& share, const Dropout& dropout) {
  const auto states = network_->forward(share, dropout);
  generator_loss_.begin(states, share, network_->attention());
}

double FusedSeq2Seq::run_loss_block(int64_t block, int64_t blocks, float divergence) {
  return generator_loss_.run_block(block, blocks, divergence, weight_gradients_);
}

bool FusedSeq2Seq::backward_decoder() {
  return network_->backward_decoder(generator_loss_.states_gradient(), weight_gradients_);
}

bool FusedSeq2Seq::backward_encoder() { return network_->backward_encoder(weight_gradients_); }

}  // namespace nmt
