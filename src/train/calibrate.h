#pragma once

#include <filesystem>
#include <string>

#include "checkpoint/model_directory.h"
#include "files/paired_lines.h"
#include "train/translation_search.h"

namespace nmt {

/// Calibrates the confidence of the directory's model on at most 2000 sentences and stores it
/// (docs/model-format.md). Returns one line about the result. Throws Error where there are too few
/// sentences, and Interrupted.
std::string calibrate_directory(const ModelDirectory& directory, const PairedLines& texts,
                                const TranslationSearch& search, const std::string& device);

struct CalibrateRequest {
  std::filesystem::path model;   // a directory
  std::filesystem::path source;  // both empty: the model's validation texts
  std::filesystem::path reference;
  std::string device = "cpu";
  int threads = 0;
};

/// nmt calibrate: as calibrate_directory.
std::string calibrate_model(const CalibrateRequest& request);

}  // namespace nmt
