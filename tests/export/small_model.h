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
#include "nn/attention_kinds.h"
#include "text/sample_text.h"

namespace nmt {

/// Model sections that differ in everything an export has to follow.
inline std::vector<ModelConfig> model_shapes() {
  const auto shape = [](const char* cell, int64_t layers, bool input_feeding, const char* tied) {
    ModelConfig config;
    config.cell = cell;
    config.embedding_size = std::string(tied) == "none" ? 10 : 12;
    config.hidden_size = 12;
    config.num_layers = layers;
    config.input_feeding = input_feeding;
    config.tied_embeddings = tied;
    return config;
  };
  std::vector<ModelConfig> shapes = {
      shape("gru", 1, true, "none"), shape("gru", 3, false, "target"),
      shape("lstm", 1, false, "none"), shape("lstm", 2, true, "all")};
  for (const auto& attention : attention_names()) {
    shapes.push_back(shape("gru", 1, true, "none"));
    shapes.back().attention = attention;
    shapes.back().heads = 3;
  }
  for (const char* cell : {"gru", "lstm"}) {
    shapes.push_back(shape(cell, 2, true, "none"));
    shapes.back().encoder_output = "summed";
    shapes.back().layer_norm = true;
  }
  for (const bool pre_norm : {true, false}) {
    shapes.push_back(shape("gru", 2, true, pre_norm ? "all" : "target"));
    shapes.back().architecture = "transformer";
    shapes.back().heads = 2;
    shapes.back().feed_forward_size = 20;
    shapes.back().pre_norm = pre_norm;
  }
  return shapes;
}

inline ModelConfig language_model_shape() {
  auto config = model_shapes()[0];
  config.architecture = "language_model";
  return config;
}

/// Writes a model directory of random weights, large enough that no two tokens are near a tie.
inline Model write_small_model(const std::filesystem::path& folder, const ModelConfig& config) {
  static const std::string tokenizer = train_sample("bpe", 80);
  const ModelDirectory directory{folder};
  directory.make();
  Settings settings;
  settings.model = config;
  settings.vocab.joint = true;
  write_parts(directory,
              {to_yaml(settings, /*with_comments=*/false), tokenizer, tokenizer, "", ""});
  torch::manual_seed(7);
  const Seq2Seq network = make_seq2seq(network_options(config, 80, 80));
  if (config.architecture != "transformer") {  // whose output layer is of that size as it begins
    const at::NoGradGuard no_gradients;
    for (auto& parameter : network->parameters()) parameter.mul_(2);
  }
  save_weights(directory.weights(), network, {});
  return load_model(folder, torch::kCPU);
}

inline std::string description(const ModelConfig& config) {
  return config.architecture + ", " + config.cell + ", layers " +
         std::to_string(config.num_layers) + ", attention " + config.attention + ", encoder " +
         config.encoder_output + ", input feeding " + std::to_string(config.input_feeding) +
         ", pre-norm " + std::to_string(config.pre_norm) + ", tied " + config.tied_embeddings;
}

}  // namespace nmt
