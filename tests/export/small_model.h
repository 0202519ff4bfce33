#pragma once

#include <torch/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/model.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/model_parts.h"
#include "config/settings_io.h"
#include "files/file.h"
#include "text/sample_text.h"

namespace nmt {

/// Model sections that differ in everything an export has to follow.
inline std::vector<ModelConfig> model_shapes() {
  const auto shape = [](Cell cell, int64_t layers, bool input_feeding, TiedEmbeddings tied) {
    ModelConfig config;
    config.cell = cell;
    config.embedding_size = tied == TiedEmbeddings::kNone ? 10 : 12;
    config.hidden_size = 12;
    config.num_layers = layers;
    config.input_feeding = input_feeding;
    config.tied_embeddings = tied;
    return config;
  };
  std::vector<ModelConfig> shapes = {shape(Cell::kGru, 1, true, TiedEmbeddings::kNone),
                                     shape(Cell::kGru, 3, false, TiedEmbeddings::kTarget),
                                     shape(Cell::kLstm, 1, false, TiedEmbeddings::kNone),
                                     shape(Cell::kLstm, 2, true, TiedEmbeddings::kAll)};
  for (const auto* attention : attention_kinds()) {
    shapes.push_back(shape(Cell::kGru, 1, true, TiedEmbeddings::kNone));
    shapes.back().attention = attention;
    shapes.back().heads = 3;
    shapes.back().attention_temperature = 1.5;
    if (!attention->takes_coverage) continue;
    shapes.push_back(shapes.back());
    shapes.back().coverage = true;
  }
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    shapes.push_back(shape(cell, 2, true, TiedEmbeddings::kAll));
    shapes.back().copy = true;
    shapes.back().coverage = cell == Cell::kLstm;
    shapes.push_back(shape(cell, 2, true, TiedEmbeddings::kNone));
    shapes.back().encoder_output = EncoderOutput::kSummed;
    shapes.back().layer_norm = true;
  }
  for (const auto init : {DecoderInit::kBridge, DecoderInit::kMean, DecoderInit::kZero}) {
    for (const auto cell : {Cell::kGru, Cell::kLstm}) {
      shapes.push_back(shape(cell, 2, true, TiedEmbeddings::kNone));
      shapes.back().decoder_init = init;
      shapes.back().layer_norm = cell == Cell::kLstm;
    }
  }
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    shapes.push_back(shape(cell, 3, true, TiedEmbeddings::kNone));
    shapes.back().residual = true;
    if (cell == Cell::kLstm) shapes.back().encoder_output = EncoderOutput::kSummed;
  }
  for (const auto init : {DecoderInit::kFinal, DecoderInit::kBridge, DecoderInit::kMean}) {
    const bool fewer = init == DecoderInit::kFinal;
    shapes.push_back(
        shape(fewer ? Cell::kLstm : Cell::kGru, fewer ? 3 : 2, true, TiedEmbeddings::kNone));
    shapes.back().decoder_layers = fewer ? 1 : 3;
    shapes.back().decoder_init = init;
  }
  for (const auto cell : {Cell::kGru, Cell::kLstm}) {
    for (const int64_t layers : {1, 2}) {
      shapes.push_back(shape(cell, layers, true, TiedEmbeddings::kNone));
      shapes.back().cell_layer_norm = true;
      shapes.back().residual = layers > 1;
    }
  }
  for (const int64_t layers : {1, 3}) {
    shapes.push_back(shape(Cell::kGru, 2, true, TiedEmbeddings::kTarget));
    shapes.back().architecture = Architecture::kTransformer;
    shapes.back().decoder_layers = layers;
    shapes.back().heads = 2;
    shapes.back().feed_forward_size = 20;
  }
  for (const bool pre_norm : {true, false}) {
    shapes.push_back(
        shape(Cell::kGru, 2, true, pre_norm ? TiedEmbeddings::kAll : TiedEmbeddings::kTarget));
    shapes.back().architecture = Architecture::kTransformer;
    shapes.back().heads = 2;
    shapes.back().feed_forward_size = 20;
    shapes.back().pre_norm = pre_norm;
  }
  return shapes;
}

inline ModelConfig language_model_shape() {
  auto config = model_shapes()[0];
  config.architecture = Architecture::kLanguageModel;
  return config;
}

/// Writes a model directory of random weights, large enough that no two tokens are near a tie.
inline Model write_small_model(const std::filesystem::path& folder, const ModelConfig& config) {
  static const std::string tokenizer = train_sample("bpe", 80);
  const ModelDirectory directory{folder};
  make_folder(directory.root);
  Settings settings;
  settings.model = config;
  settings.vocab.joint = true;
  write_parts(directory,
              {to_yaml(settings, /*with_comments=*/false), tokenizer, tokenizer, "", ""});
  torch::manual_seed(7);
  const Seq2Seq network = make_seq2seq({config, 80, 80});
  if (config.architecture !=
      Architecture::kTransformer) {  // whose output layer is of that size as it begins
    const at::NoGradGuard no_gradients;
    for (auto& parameter : network->named_parameters()) {
      auto& value = parameter.value();
      // Large gains make the states chaotic, and rounding errors grow.
      const bool is_gain = parameter.key().find(".gain_") != std::string::npos;
      is_gain ? value.copy_(torch::linspace(0.4, 0.8, value.numel())) : value.mul_(2);
    }
  }
  save_weights(directory.weights(), network, {});
  return load_model(folder, torch::kCPU);
}

inline std::string description(const ModelConfig& config) {
  return choice_name(config.architecture) + ", " + choice_name(config.cell) + ", layers " +
         std::to_string(config.num_layers) + " and " + std::to_string(config.decoder_layers) +
         ", attention " + config.attention->name + (config.residual ? ", residual" : "") +
         ", encoder " + choice_name(config.encoder_output) + ", input feeding " +
         std::to_string(config.input_feeding) + ", pre-norm " + std::to_string(config.pre_norm) +
         ", tied " + choice_name(config.tied_embeddings) + (config.copy ? ", copying" : "") +
         (config.cell_layer_norm ? ", normalized cells" : "");
}

}  // namespace nmt
