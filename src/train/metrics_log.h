#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "planning/run_history.h"
#include "train/progress.h"
#include "train/validation.h"

namespace nmt {

/// Writes metrics.jsonl in the model directory: one JSON object per line, as events happen.
///
///   {"type":"train","update":50,"epoch":1,"loss":…,"learning_rate":…,"gradient_norm":…,…}
///   {"type":"validation","update":500,"epoch":1,"loss":…,"perplexity":…,"bleu":…,"chrf":…,
///    "samples":[{"line":1,"source":…,"translation":…,"reference":…},…],…}
///
/// A language model has no bleu, chrf or samples; "script" is the rating of validation.script.
///
/// Lines that cannot be written, on a full disk for example, are kept and written with the next
/// one; the file never holds part of a line.
class MetricsLog {
 public:
  /// The samples come from these texts: a new file is readable only by those who may read them.
  explicit MetricsLog(std::filesystem::path path, std::vector<std::filesystem::path> texts = {})
      : path_(std::move(path)), texts_(std::move(texts)) {}

  /// Continues after the first `size` bytes and cuts off the rest. Throws Error.
  void resume(int64_t size);

  void train(const TrainingProgress& progress);
  void validation(const TrainingProgress& progress, const ValidationResult& result,
                  const std::vector<Sample>& samples, bool best);

  /// Syncs all lines to the disk and returns the file's size in bytes. Throws Error.
  int64_t sync();

 private:
  void write(const std::string& line);
  std::string append();

  std::filesystem::path path_;
  std::vector<std::filesystem::path> texts_;
  int64_t size_ = 0;     // bytes of complete lines in the file
  std::string pending_;  // lines not written yet
  bool failing_ = false;
};

}  // namespace nmt
