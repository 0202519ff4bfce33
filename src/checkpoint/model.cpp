#include "checkpoint/model.h"

#include <utility>

#include "checkpoint/weights.h"

namespace nmt {

Seq2Seq make_network(const StoredModel& model, const torch::Device& device) {
  Seq2Seq network = make_seq2seq(model.options);
  fill_weights(network, model.weights);
  network->to(device);
  network->eval();
  return network;
}

Model make_model(const ModelFiles& files, const torch::Device& device) {
  auto stored = understand_model(files);
  auto network = make_network(stored, device);
  return {std::move(stored.settings), std::move(stored.source), std::move(stored.target),
          std::move(network)};
}

Model load_model(const std::filesystem::path& path, const torch::Device& device) {
  return make_model(read_model_files(path), device);
}

void save_weights(const std::filesystem::path& path, const Seq2Seq& network,
                  const std::map<std::string, std::string>& metadata) {
  write_safetensors(path, {metadata, pack_weights(network, Precision::kF32), ""});
}

void load_weights(const std::filesystem::path& path, const Seq2Seq& network) {
  fill_weights(network, map_safetensors(path));
}

void write_model_directory(const ModelDirectory& directory, const ModelParts& parts,
                           const Seq2Seq& network,
                           const std::map<std::string, std::string>& metadata) {
  directory.make();
  write_parts(directory, parts);
  save_weights(directory.weights(), network, metadata);
}

}  // namespace nmt
