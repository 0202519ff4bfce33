#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

/// One line of metrics.jsonl. Missing values are NaN.
struct TrainPoint {
  int64_t update = 0;
  double seconds = 0.0;  // since training began
  double loss = 0.0;
  double perplexity = 0.0;
  double learning_rate = 0.0;
  double gradient_norm = 0.0;
  double tokens_per_second = 0.0;
};

/// A validation sentence and its translation.
struct Sample {
  int64_t line = 0;  // of the validation text, from 1
  std::string source;
  std::string translation;
  std::string reference;
};

struct ValidationPoint {
  int64_t update = 0;
  int64_t epoch = 0;
  double seconds = 0.0;
  double loss = 0.0;
  double perplexity = 0.0;
  double bleu = 0.0;
  double chrf = 0.0;
  double script = 0.0;  // the rating of validation.script
  bool best = false;
  std::vector<Sample> samples;
};

/// The course of a training, from metrics.jsonl.
struct RunHistory {
  std::vector<TrainPoint> training;
  std::vector<ValidationPoint> validations;
};

/// Ignores an incomplete last line, which may still be being written. Throws Error that names file
/// and line.
RunHistory read_history(const std::filesystem::path& path);

/// As read_history, from text; `name` is used in messages.
RunHistory parse_history(const std::string& text, const std::string& name);

}  // namespace nmt
