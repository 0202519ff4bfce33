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

/// A model that is read and understood, its weights still where they lie in the file: all that the
/// fused engine needs. Knows no LibTorch; checkpoint/model.h makes a network of one.
struct StoredModel {
  Settings settings;
  Tokenizer source;
  Tokenizer target;
  Seq2SeqOptions options;
  std::optional<Calibration> calibration;
  StoredTensors weights;  // exactly the parameters that the options describe
};

/// Reads a model's directory or packed file. Throws Error that names the file and what it lacks, or
/// the tensor that does not fit its configuration; a damaged or hostile file is never a crash nor a
/// large allocation.
StoredModel read_model(const std::filesystem::path& path);
StoredModel parse_model(const ModelFiles& files);

/// Throws Error for a language model.
void require_translator(const Seq2SeqOptions& options, const std::filesystem::path& model);

/// The network settings of a model, and no more of its files; nothing where they cannot be read.
std::optional<ModelConfig> stored_model_config(const std::filesystem::path& path);

}  // namespace nmt
