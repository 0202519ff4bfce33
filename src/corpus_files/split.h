#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace nmt {

struct SplitRequest {
  std::filesystem::path source;  // plain text or .gz
  std::filesystem::path target;
  std::filesystem::path folder;  // for train, valid and test, with the extensions of the texts
  int64_t pairs = -1;            // per held-out set; negative: held_out_size()
  bool overwrite = false;        // replace other sets
};

/// Writes a corpus in three parts that share no sentence: a validation and a test set as hold_out
/// chooses them, and as training text every pair that has none of their sentences on a side.
/// Returns a summary with a line for each part. Throws Error, also for corpora too small to be
/// divided, and unless `overwrite` if the folder has other sets.
std::string split_corpus(const SplitRequest& request);

}  // namespace nmt
