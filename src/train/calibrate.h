#pragma once

#include <c10/core/Device.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "files/paired_lines.h"
#include "text/tokenizer.h"
#include "train/translation_search.h"

namespace nmt {

/// The indices of the lines that calibration translates: at most 2000 from all parts of the text.
/// Leaves out lines without a reference and lines that translation copies (LetterlessSentences) or
/// leaves empty.
std::vector<size_t> calibration_lines(const Tokenizer& source, const PairedLines& texts);

/// Calibrates the confidence of the directory's model on calibration_lines and stores it
/// (docs/model-format.md). References are text, not tokens. Returns one line about the result.
/// Throws Error where there are too few sentences, and Interrupted.
std::string calibrate_directory(const ModelDirectory& directory, const PairedLines& texts,
                                const TranslationSearch& search, const c10::Device& device);

struct CalibrateRequest {
  std::filesystem::path model;   // a directory
  std::filesystem::path source;  // both empty: the model's validation texts
  std::filesystem::path reference;
  std::string device = "cpu";
  int threads = 0;
};

/// The work of `nmt calibrate`; as calibrate_directory.
std::string calibrate_model(const CalibrateRequest& request);

}  // namespace nmt
