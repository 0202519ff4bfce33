#include "checkpoint/model.h"

#include <ATen/ATen.h>

#include <sstream>

#include "checkpoint/safetensors.h"
#include "config/settings_io.h"
#include "support/error.h"

namespace nmt {
namespace {

TiedEmbeddings parse_tied_embeddings(const std::string& name) {
  if (name == "target") return TiedEmbeddings::kTarget;
  if (name == "all") return TiedEmbeddings::kAll;
  return TiedEmbeddings::kNone;
}

std::string shape_text(at::IntArrayRef shape) {
  std::ostringstream text;
  text << shape;
  return text.str();
}

}  // namespace

Seq2SeqOptions network_options(const ModelConfig& config, int64_t source_vocabulary_size,
                               int64_t target_vocabulary_size) {
  Seq2SeqOptions options;
  options.source_vocabulary_size = source_vocabulary_size;
  options.target_vocabulary_size = target_vocabulary_size;
  options.cell = config.cell == "lstm" ? Cell::kLstm : Cell::kGru;
  options.embedding_size = config.embedding_size;
  options.hidden_size = config.hidden_size;
  options.num_layers = config.num_layers;
  options.embedding_deviation = config.embedding_deviation;
  options.dropout = config.dropout;
  options.input_feeding = config.input_feeding;
  options.tied_embeddings = parse_tied_embeddings(config.tied_embeddings);
  return options;
}

void require_model(const ModelDirectory& directory) {
  if (!std::filesystem::exists(directory.root)) {
    throw Error(directory.root.string() + ": no such model directory");
  }
  if (!std::filesystem::is_directory(directory.root)) {
    throw Error(directory.root.string() + ": a file; expected the folder of a model");
  }
  if (!std::filesystem::exists(directory.settings())) {
    throw Error(directory.root.string() +
                ": not a model directory (config.yaml is missing); nmt train makes one");
  }
  if (!std::filesystem::exists(directory.weights())) {
    throw Error(directory.root.string() +
                ": has no model.safetensors; its training was stopped before anything was saved");
  }
}

Model load_model(const std::filesystem::path& path, const torch::Device& device) {
  const ModelDirectory directory{path};
  require_model(directory);
  Model model;
  model.settings = load_settings(directory.settings());
  model.source = Tokenizer::from_file(directory.source_tokenizer());
  model.target = Tokenizer::from_file(directory.target_tokenizer());
  model.network = Seq2Seq(network_options(model.settings.model, model.source.vocabulary_size(),
                                          model.target.vocabulary_size()));
  load_weights(directory.weights(), model.network);
  model.network->to(device);
  model.network->eval();
  return model;
}

void save_weights(const std::filesystem::path& path, const Seq2Seq& network,
                  const std::map<std::string, std::string>& metadata) {
  TensorFile file;
  file.metadata = metadata;
  for (const auto& parameter : network->named_parameters()) {
    const auto values = parameter.value().detach().to(torch::kCPU, torch::kFloat).contiguous();
    file.tensors.push_back({parameter.key(), values});
  }
  write_safetensors(path, file);
}

void load_weights(const std::filesystem::path& path, const Seq2Seq& network) {
  const at::NoGradGuard no_gradients;
  const auto file = read_safetensors(path);
  const auto parameters = network->named_parameters();
  for (const auto& tensor : file.tensors) {
    if (parameters.find(tensor.name) == nullptr) {
      throw Error(path.string() + ": holds " + tensor.name +
                  ", which the model that config.yaml describes has not");
    }
  }
  for (const auto& parameter : parameters) {
    const auto& tensor = file.at(parameter.key());
    if (tensor.sizes() != parameter.value().sizes()) {
      throw Error(path.string() + ": " + parameter.key() + " has shape " +
                  shape_text(tensor.sizes()) + ", config.yaml and the vocabularies say " +
                  shape_text(parameter.value().sizes()));
    }
    parameter.value().copy_(tensor);
  }
}

}  // namespace nmt
