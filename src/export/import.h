#pragma once

#include <filesystem>
#include <string>

namespace nmt {

struct ImportRequest {
  /// safetensors, state_dict names (docs/model-format.md); or a model of simple-nmt or
  /// OpenNMT-py, which holds its settings and vocabularies: the next three are then empty.
  std::filesystem::path weights;
  std::filesystem::path config;  // its model section; empty: the settings in the weights file
  std::filesystem::path source_tokenizer;  // SentencePiece models
  std::filesystem::path target_tokenizer;
  std::filesystem::path model_dir;  // to write
  bool overwrite = false;
};

/// Makes a model directory from weights trained elsewhere. Writes nothing unless weights, settings
/// and vocabularies fit together. Returns one line that describes the model. Throws Error.
std::string import_model(const ImportRequest& request);

}  // namespace nmt
