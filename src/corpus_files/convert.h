#pragma once

#include <string>

#include "corpus_files/corpus_file.h"
#include "corpus_files/pair_writer.h"

namespace nmt {

/// Writes all pairs of a corpus to other files. Returns a summary for people. Throws Error, also if
/// the corpus has no pairs.
std::string convert_corpus(CorpusFile& corpus, const PairOutput& output);

}  // namespace nmt
