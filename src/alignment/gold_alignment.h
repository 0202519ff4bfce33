#pragma once

#include <cstdint>
#include <string>

#include "alignment/symmetrize.h"

namespace nmt {

/// Links annotated by people: sure ones, and possible ones, which include the sure ones.
struct GoldAlignment {
  LinkSet sure;
  LinkSet possible;
};

/// Reads a line such as "0-0 1-2 2p1": "-" marks sure links, "p" possible ones. Throws Error for
/// anything else, and for links to words beyond `source_words` or `target_words`.
GoldAlignment parse_gold_alignment(const std::string& line, int64_t source_words,
                                   int64_t target_words);

/// Counts of links, added up over a corpus (Och and Ney 2003, section 5).
struct AlignmentErrors {
  int64_t links = 0;
  int64_t sure = 0;            // in the gold alignment
  int64_t sure_found = 0;      // of these, how many are among the links
  int64_t possible_found = 0;  // links that are possible

  void add(const LinkSet& links_of_pair, const GoldAlignment& gold);

  double precision() const;   // of the links, those that are possible; 1 without links
  double recall() const;      // of the sure links, those that are found; 1 without any
  double error_rate() const;  // AER: 1 − (sure_found + possible_found) / (links + sure)
};

}  // namespace nmt
