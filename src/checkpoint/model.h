#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "checkpoint/stored_model.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Everything that translation needs of a model.
struct Model {
  Settings settings;
  Tokenizer source;
  Tokenizer target;
  Seq2Seq network{nullptr};
};

/// The network of a model that is read, in evaluation mode. Throws Error where its weights are not
/// finite.
Seq2Seq make_network(const StoredModel& model, const torch::Device& device);

/// The same with all else that translation needs. Throws Error as read_model does.
Model load_model(const std::filesystem::path& path, const torch::Device& device);
Model make_model(const ModelFiles& files, const torch::Device& device);

/// Writes the parameters under their state_dict names as float32, with `metadata`.
void save_weights(const std::filesystem::path& path, const Seq2Seq& network,
                  const std::map<std::string, std::string>& metadata);

/// Fills the network from such a file; the names and shapes must match exactly.
void load_weights(const std::filesystem::path& path, const Seq2Seq& network);

/// Writes a model directory of float32 weights; replaces an existing model. All of
/// it is written before any of that is removed; other files stay. Throws Error.
void write_model_directory(const ModelDirectory& directory, const ModelParts& parts,
                           const Seq2Seq& network,
                           const std::map<std::string, std::string>& metadata = {});

}  // namespace nmt
