#include "fused/seq2seq.h"

namespace nmt {

FusedSeq2Seq::FusedSeq2Seq(const FusedSeq2SeqOptions& options, const ParameterTable& parameters)
    : source_embedding_(parameters.at("emb_src.weight"), DropoutSite::kSourceEmbedding),
      target_embedding_(parameters.at("emb_dec.weight"), DropoutSite::kTargetEmbedding),
      encoder_(options.cell, options.num_layers, parameters),
      decoder_(options.cell, options.num_layers, options.input_feeding, parameters),
      generator_loss_(parameters.at("generator.output.weight"),
                      parameters.at("generator.output.bias")),
      weight_gradients_(options.precision) {}

void FusedSeq2Seq::forward(const PackedBatch& share, const Dropout& dropout) {
  share_ = &share;
  dropout_ = dropout;
  const auto source = source_embedding_.forward(share.source_ids, dropout);
  const auto values = encoder_.forward(share.source, source, dropout);
  auto& first_state = decoder_.first_state(share.target.num_sequences());
  encoder_.final_state(share.source, share.source_place, first_state);
  const auto target = target_embedding_.forward(share.target_input, dropout);
  const auto attentional_hidden = decoder_.forward(share, target, values, dropout);
  generator_loss_.begin(attentional_hidden, share.target_output);
}

int64_t FusedSeq2Seq::num_loss_blocks() const {
  return generator_loss_.num_blocks(share_->target.num_rows());
}

double FusedSeq2Seq::run_loss_block(int64_t block, int64_t blocks, double label_smoothing,
                                    double scale) {
  return generator_loss_.run_block(block, blocks, label_smoothing, scale, weight_gradients_);
}

void FusedSeq2Seq::backward_decoder() {
  decoder_gradients_ =
      decoder_.backward(*share_, generator_loss_.states_gradient(), dropout_, weight_gradients_);
  target_embedding_.backward(share_->target_input, dropout_, decoder_gradients_.embedded,
                             weight_gradients_);
}

void FusedSeq2Seq::backward_encoder() {
  const auto of_source =
      encoder_.backward(share_->source, share_->source_place, decoder_gradients_.state,
                        decoder_gradients_.values, dropout_, weight_gradients_);
  source_embedding_.backward(share_->source_ids, dropout_, of_source, weight_gradients_);
}

}  // namespace nmt
