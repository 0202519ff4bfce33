#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "metrics/references.h"

namespace nmt {

struct TerOptions {
  bool case_sensitive = false;
};

/// Sufficient statistics of TER. Those of a corpus are the sum over its sentences.
struct TerCounts {
  int64_t edits = 0;
  double reference_words = 0.0;  // mean over several references
};

/// `references`: at least one. Edits are counted against the closest.
TerCounts count_ter(const std::string& hypothesis, const std::vector<std::string>& references,
                    const TerOptions& options = {});
double ter_of(const TerCounts& counts);

/// Translation edit rate (Snover et al. 2006) of a corpus as sacreBLEU computes it: insertions,
/// deletions, substitutions and shifts of blocks of words, in percent of the reference words. Lower
/// is better; values above 100 are possible. Shifts are found by Tercom's greedy search, with its
/// limits. Throws Error for unequal counts.
double corpus_ter(const std::vector<std::string>& hypotheses, const References& references,
                  const TerOptions& options = {});

/// As bleu_signature.
std::string ter_signature(const TerOptions& options, const std::string& references = "1");

}  // namespace nmt
