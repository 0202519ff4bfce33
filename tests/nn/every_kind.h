#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "nn/attention.h"
#include "nn/seq2seq.h"
#include "support/test_device.h"

namespace nmt {

struct Named {
  std::string name;
  Seq2SeqOptions options;
};

inline Seq2SeqOptions small_shape() {
  Seq2SeqOptions options;
  options.dropout = 0.0;
  options.source_vocabulary_size = 11;
  options.target_vocabulary_size = 13;
  options.embedding_size = 4;
  options.hidden_size = 4;
  options.num_layers = 2;
  options.heads = 2;
  options.feed_forward_size = 6;
  return options;
}

/// One of each attention and architecture.
inline std::vector<Named> every_kind() {
  std::vector<Named> kinds;
  for (const auto* attention : attention_kinds()) {
    kinds.push_back({attention->name + std::string(" attention"), small_shape()});
    kinds.back().options.attention = attention;
  }
  const auto add = [&](const char* name) -> Seq2SeqOptions& {
    kinds.push_back({name, small_shape()});
    return kinds.back().options;
  };
  add("summed encoder outputs").encoder_output = EncoderOutput::kSummed;
  add("normalized states").layer_norm = true;
  auto& lstm = add("LSTM, summed, without input feeding");
  lstm.cell = Cell::kLstm;
  lstm.encoder_output = EncoderOutput::kSummed;
  lstm.input_feeding = false;
  auto& residual = add("residual connections, normalized states");
  residual.residual = residual.layer_norm = true;
  auto& summed = add("residual connections, LSTM, summed");
  summed.residual = true;
  summed.cell = Cell::kLstm;
  summed.encoder_output = EncoderOutput::kSummed;
  auto& mean = add("residual connections, mean of the states");
  mean.residual = true;
  mean.decoder_init = DecoderInit::kMean;
  add("fewer decoder layers").decoder_layers = 1;
  auto& more = add("more decoder layers, bridge");
  more.decoder_layers = 3;
  more.decoder_init = DecoderInit::kBridge;
  add("coverage").coverage = true;
  auto& covered = add("coverage of additive attention, LSTM, without input feeding");
  covered.coverage = true;
  covered.attention = &additive_attention();
  covered.cell = Cell::kLstm;
  covered.input_feeding = false;
  auto& copying = add("copying");
  copying.copy = true;
  copying.source_vocabulary_size = copying.target_vocabulary_size;
  add("pre-norm Transformer").architecture = Architecture::kTransformer;
  auto& post = add("post-norm Transformer");
  post.architecture = Architecture::kTransformer;
  post.pre_norm = false;
  auto& shallow = add("Transformer with fewer decoder layers");
  shallow.architecture = Architecture::kTransformer;
  shallow.decoder_layers = 1;
  add("language model").architecture = Architecture::kLanguageModel;
  auto& language = add("language model with residual connections");
  language.architecture = Architecture::kLanguageModel;
  language.residual = true;
  return kinds;
}

inline Seq2Seq seeded(const Seq2SeqOptions& options, bool training = false) {
  torch::manual_seed(21);
  auto model = make_seq2seq(options);
  model->to(test_device());
  model->train(training);
  return model;
}

}  // namespace nmt
