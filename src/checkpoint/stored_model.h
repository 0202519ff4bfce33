#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "checkpoint/calibration.h"
#include "checkpoint/model_files.h"
#include "config/settings.h"
#include "nn/seq2seq_options.h"
#include "text/tokenizer.h"

namespace nmt {

/// A model that has been read and parsed, with its weights still in the mapped file: all that the
/// fused engine needs. Without LibTorch; checkpoint/model.h makes a LibTorch network of it.
struct StoredModel {
  Settings settings;
  Tokenizer source;
  Tokenizer target;
  Seq2SeqOptions options;
  std::optional<Calibration> calibration;
  StoredTensors weights;  // exactly the parameters that the options describe
};

/// Reads a model directory or packed model. Throws Error that names the file and what is missing,
/// or the tensor that does not fit the configuration; a damaged or hostile file never causes a
/// crash or a large allocation.
StoredModel read_model(const std::filesystem::path& path);
StoredModel parse_model(const ModelFiles& files);

/// Throws Error for a language model.
void require_translator(const Seq2SeqOptions& options, const std::filesystem::path& model);

/// Reads only the network settings of a model; nullopt if that fails.
std::optional<ModelConfig> stored_model_config(const std::filesystem::path& path);

}  // namespace nmt
