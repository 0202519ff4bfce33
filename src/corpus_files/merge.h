#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "corpus_files/pair_writer.h"

namespace nmt {

struct MergeRequest {
  std::vector<std::filesystem::path> sources;  // the corpora's texts, plain or .gz, as many of both
  std::vector<std::filesystem::path> targets;
  PairOutput output;
};

/// Writes all pairs of several corpora, one corpus after the other. Returns a summary with a line
/// for each. Throws UsageError for unequal numbers of files, Error as PairReader does.
std::string merge_corpora(const MergeRequest& request);

}  // namespace nmt
