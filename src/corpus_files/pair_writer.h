#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "files/output_file.h"

namespace nmt {

/// Where pairs are written: to two texts, line by line, or with an empty `target` to one
/// tab-separated file. Names that end in .gz are compressed.
struct PairOutput {
  std::filesystem::path source;
  std::filesystem::path target;
};

class PairWriter {
 public:
  /// Throws UsageError when both texts are one file or a name ends in .tmx, Error when a file
  /// cannot be created.
  explicit PairWriter(const PairOutput& output);

  /// Tabs become spaces in tab-separated files. Throws Error when writing fails.
  void write(const std::string& source, const std::string& target);

  /// Writes buffered lines and gives the files their final names. Throws Error.
  void finish();

  int64_t pairs() const { return pairs_; }

  /// For a summary: one line about pairs that are not valid UTF-8, or "" if there are none.
  std::string invalid_pairs() const;

 private:
  std::string name_;
  OutputFile source_;
  std::optional<OutputFile> target_;
  std::string waiting_source_;  // lines not written yet
  std::string waiting_target_;
  int64_t pairs_ = 0;
  int64_t invalid_ = 0;
  int64_t first_invalid_ = 0;  // its line
};

}  // namespace nmt
