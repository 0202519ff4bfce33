#include "fused/seq2seq.h"

namespace nmt {

FusedSeq2Seq::FusedSeq2Seq(const FusedSeq2SeqOptions& options, const ParameterTable& parameters)
    : source_embedding_(parameters.at("emb_src.weight"), DropoutSite::kSourceEmbedding),
      target_embedding_(parameters.at("emb_dec.weight"), DropoutSite::kTargetEmbedding),
      encoder_(options.cell, options.num_layers, parameters),
      decoder_(options.cell, options.num_layers, options.input_feeding, parameters),
      generator_loss_(parameters.at("generator.output.weight"),
                      parameters.at("generator.output.bias")) {}

double FusedSeq2Seq::add_gradient(const PackedBatch& batch, double label_smoothing, double scale,
                                  const Dropout& dropout) {
  const auto source = source_embedding_.forward(batch.source_ids, dropout);
  const auto values = encoder_.forward(batch.source, source, dropout);
  auto& first_state = decoder_.first_state(batch.target.num_sequences());
  encoder_.final_state(batch.source, batch.source_place, first_state);
  const auto target = target_embedding_.forward(batch.target_input, dropout);
  const auto attentional = decoder_.forward(batch, target, values, dropout);

  const auto loss = generator_loss_.run(attentional, batch.target_output, label_smoothing, scale);

  const auto gradients = decoder_.backward(batch, loss.states, dropout);
  target_embedding_.backward(batch.target_input, dropout, gradients.embedded);
  const auto of_source = encoder_.backward(batch.source, batch.source_place, gradients.state,
                                           gradients.values, dropout);
  source_embedding_.backward(batch.source_ids, dropout, of_source);
  return loss.negative_log_likelihood;
}

}  // namespace nmt
