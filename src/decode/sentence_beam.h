#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "decode/token_history.h"
#include "text/special_tokens.h"

namespace nmt {

/// One way to go on: hypothesis among the sentence's open ones, token, log-probability with it.
struct Candidate {
  int64_t beam = 0;
  int32_t token = 0;
  double total = 0.0;
};

/// A hypothesis that has not ended.
struct OpenHypothesis {
  int32_t node = TokenHistory::kRoot;
  int64_t beam = 0;  // which of the open ones a step before it goes on from
  int32_t token = kBosId;
  double log_probability = 0.0;
};

/// The beam of one sentence: at most K open hypotheses and all that have ended. A hypothesis that
/// has ended is kept aside and never displaced by one that has not.
class SentenceBeam {
 public:
  SentenceBeam(const SearchOptions& options, int64_t source_length);

  const std::vector<OpenHypothesis>& open() const { return open_; }

  Ending ending() const { return ending_rule(*options_, length_, limit_); }

  /// Takes the next step's candidates, best first. Those among the first K that end are ended
  /// hypotheses; the best K others stay open. `attention_of` gives the weights of an open one.
  void advance(const std::vector<Candidate>& candidates,
               const std::function<std::vector<float>(int64_t beam)>& attention_of);

  /// When K have ended, or none that is open can still enter the n-best list.
  bool done() const;

  /// The n-best hypotheses, best first; fewer where fewer ended.
  std::vector<Hypothesis> best() const;

 private:
  size_t beam_size() const { return static_cast<size_t>(options_->beam_size); }
  void finish(int32_t node);
  double best_reachable_score() const;

  const SearchOptions* options_;
  int64_t limit_;
  int64_t length_ = 0;
  TokenHistory history_;
  std::vector<OpenHypothesis> open_;
  std::vector<std::pair<double, int32_t>> ended_;  // score and node, best first
};

}  // namespace nmt
