#pragma once

#include <cstdint>
#include <vector>

#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "nn/seq2seq.h"

namespace nmt {

/// How training searches and scores translations of a whole text.
struct TranslationSearch {
  bool fused = true;  // use the fused engine if it supports the network, on the CPU
  int threads = 1;    // of the fused engine
  int64_t batch_size = 64;

  /// The n-best list of each source. Throws Interrupted within a few batches of a signal.
  std::vector<std::vector<Hypothesis>> run(const Seq2Seq& network, const SearchOptions& options,
                                           const std::vector<std::vector<int32_t>>& sources) const;

  /// Whether the fused engine is used for this network.
  bool is_fused(const Seq2Seq& network) const;

  /// Σ log p(target | source) over all pairs, EOS included, by the fused engine. Sources must not
  /// be empty. Throws Interrupted as run() does.
  double fused_log_probability(const Seq2Seq& network,
                               const std::vector<std::vector<int32_t>>& sources,
                               const std::vector<std::vector<int32_t>>& targets) const;
};

}  // namespace nmt
