#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metrics/ngrams.h"
#include "metrics/references.h"

namespace nmt {

constexpr int64_t kChrfCharOrder = 6;

struct ChrfOptions {
  int64_t word_order = 0;  // 2 is chrF++
  bool lowercase = false;
};

/// Sufficient statistics of chrF: counts of character n-grams by order, then of word n-grams. Those
/// of a corpus are the sum over its sentences.
using ChrfCounts = std::vector<NgramCounts>;

/// `references`: at least one. Counts against the reference with the best chrF, the first in a tie.
ChrfCounts count_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                      const ChrfOptions& options = {});
double chrf_of(const ChrfCounts& counts);

/// chrF (Popović 2015, 2017), from 0 to 100, of a corpus as sacreBLEU computes it: the F-score of
/// the mean precision and the mean recall of character (and word) n-grams, over the orders present
/// on both sides. White space is ignored. Throws Error for unequal counts.
double corpus_chrf(const std::vector<std::string>& hypotheses, const References& references,
                   const ChrfOptions& options = {});

/// As bleu_signature.
std::string chrf_signature(const ChrfOptions& options, const std::string& references = "1");

}  // namespace nmt
