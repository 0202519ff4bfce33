#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "train/progress.h"
#include "train/validation.h"

namespace nmt {

/// metrics.jsonl beside the model: one JSON object a line, written as it happens.
///
///   {"type":"train","update":50,"epoch":1,"loss":…,"learning_rate":…,"gradient_norm":…,…}
///   {"type":"validation","update":500,"epoch":1,"loss":…,"perplexity":…,"bleu":…,"chrf":…,…}
class MetricsLog {
 public:
  /// Throws Error when the file can't be opened.
  explicit MetricsLog(const std::filesystem::path& path);

  void train(const TrainingProgress& progress);
  void validation(const TrainingProgress& progress, const ValidationResult& result, bool best);

 private:
  std::ofstream stream_;
};

}  // namespace nmt
