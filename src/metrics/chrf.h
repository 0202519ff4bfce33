#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metrics/ngrams.h"

namespace nmt {

struct ChrfOptions {
  int64_t char_order = 6;
  int64_t word_order = 0;  // 2 is chrF++
  double beta = 2.0;       // how much more recall weighs than precision
  bool lowercase = false;
};

struct ChrfScore {
  double score = 0.0;  // 0 … 100
};

/// What chrF knows of sentences: n-grams of characters of each order, then of words. Those of a
/// corpus are the sum of its sentences'.
using ChrfCounts = std::vector<NgramCounts>;

ChrfCounts count_chrf(const std::string& hypothesis, const std::string& reference,
                      const ChrfOptions& options = {});
ChrfScore chrf_of(const ChrfCounts& counts, const ChrfOptions& options = {});

/// chrF (Popović 2015, 2017) of a corpus as sacreBLEU computes it: the F-score of the mean
/// precision and the mean recall of character (and word) n-grams, over the orders that both sides
/// have. White space does not count. Throws Error on unequal counts.
ChrfScore corpus_chrf(const std::vector<std::string>& hypotheses,
                      const std::vector<std::string>& references, const ChrfOptions& options = {});

std::string chrf_signature(const ChrfOptions& options);

}  // namespace nmt
