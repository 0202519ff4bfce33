#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "corpus_files/corpus_file.h"
#include "corpus_files/pair_writer.h"

namespace nmt {

/// Writes all pairs of a corpus to other files. Returns a summary for people. Throws Error, also if
/// the corpus has no pairs.
std::string convert_corpus(CorpusFile& corpus, const PairOutput& output);

struct MergeRequest {
  std::vector<std::filesystem::path> sources;  // the corpora's texts, plain or .gz, as many of both
  std::vector<std::filesystem::path> targets;
  PairOutput output;
};

/// Writes all pairs of several corpora, one corpus after the other. Returns a summary with a line
/// for each. Throws UsageError for unequal numbers of files, Error as PairReader does.
std::string merge_corpora(const MergeRequest& request);

}  // namespace nmt
