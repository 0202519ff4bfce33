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

/// Makes the network of a stored model, in evaluation mode. Throws Error if its weights are not
/// finite. Leaves the random state unchanged.
Seq2Seq make_network(const StoredModel& model, const torch::Device& device);

/// Reads a model and makes its network. Throws Error as read_model() does.
Model load_model(const std::filesystem::path& path, const torch::Device& device);
Model make_model(const ModelFiles& files, const torch::Device& device);

/// Writes the parameters under their state_dict names as float32, with `metadata`.
void save_weights(const std::filesystem::path& path, const Seq2Seq& network,
                  const std::map<std::string, std::string>& metadata);

/// Fills the network from a file of save_weights(); the names and shapes must match exactly.
void load_weights(const std::filesystem::path& path, const Seq2Seq& network);

/// Writes a model directory with float32 weights; replaces an existing model. The new model is
/// complete before any file of the old one is removed; other files stay. Throws Error.
void write_model_directory(const ModelDirectory& directory, const ModelParts& parts,
                           const Seq2Seq& network,
                           const std::map<std::string, std::string>& metadata = {});

}  // namespace nmt
