#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "decode/search_options.h"
#include "decode/sentence_beam.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// Chooses the continuations of a sentence's open hypotheses by the model's scores, the options and
/// the constraints: prefix, n-gram blocking, phrases, diverse groups.
class CandidateChooser {
 public:
  /// A token's logit after an open hypothesis.
  using LogitOf = std::function<float(int64_t parent, int32_t token)>;

  explicit CandidateChooser(const SearchOptions& options) : options_(options) {}

  /// The number of best tokens per row that choose() needs, allowing for those that may be
  /// excluded.
  int64_t num_best_needed(const SentenceBeam& beam) const;

  /// From the best tokens of each open hypothesis: the 2K best continuations, best first, as
  /// SentenceBeam::advance takes them. At least K of them do not end, since each hypothesis can end
  /// in only one way. If nothing is allowed, all hypotheses end; if phrases are required and n_best
  /// hypotheses have ended, the result is empty instead. Valid until the next call.
  const std::vector<Candidate>& choose(const SentenceBeam& beam, const TopTokens* top,
                                       const LogitOf& logit_of);

 private:
  struct Row;

  void collect(const Row& row, bool past_end);
  void collect_open(const Row& row, const std::vector<PartialWord::Piece>& pieces);
  void collect_constrained(const Row& row, bool past_end);
  bool add(const Row& row, int32_t token, double logit, int64_t missing);
  bool keep(const Candidate& candidate);
  void order(const SentenceBeam& beam);
  bool is_complete(const Row& row) const;
  bool is_excluded(int32_t token, float logit) const;

  const SearchOptions& options_;
  bool keeps_best_ = false;  // the 2K best and no others, in order
  std::vector<Candidate> candidates_;
  std::vector<int64_t> missing_;    // of each candidate: tokens of phrases still missing
  std::vector<int32_t> repeating_;  // tokens that n-gram blocking forbids the hypothesis at hand
};

}  // namespace nmt
