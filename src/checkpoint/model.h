#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "checkpoint/model_files.h"
#include "config/settings.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"

namespace nmt {

/// Everything that translation needs of a model.
struct Model {
  Settings settings;
  Tokenizer source;
  Tokenizer target;
  Seq2Seq network{nullptr};
};

/// The network that the settings and vocabularies describe.
Seq2SeqOptions network_options(const ModelConfig& config, int64_t source_vocabulary_size,
                               int64_t target_vocabulary_size);

/// Loads a model in evaluation mode from its directory or packed file. Throws Error that names the
/// file and what it lacks, or the tensor that does not fit its configuration; a damaged or hostile
/// file is never a crash nor a large allocation.
Model load_model(const std::filesystem::path& path, const torch::Device& device);
Model make_model(const ModelFiles& files, const torch::Device& device);

/// Writes the parameters under their state_dict names as float32, with `metadata` beside them.
void save_weights(const std::filesystem::path& path, const Seq2Seq& network,
                  const std::map<std::string, std::string>& metadata);

/// Fills the network from such a file; the names and shapes must match exactly.
void load_weights(const std::filesystem::path& path, const Seq2Seq& network);

}  // namespace nmt
