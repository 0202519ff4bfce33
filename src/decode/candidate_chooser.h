#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "decode/search_options.h"
#include "decode/sentence_beam.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// Whether scores and lengths alone decide, for every sentence.
bool is_unconstrained(const SearchOptions& options, const ConstraintList& constraint_list);

/// Chooses the continuations of a sentence's open hypotheses, by the model's scores and all options
/// and constraints: prefix, n-gram blocking, phrases, diverse groups.
class CandidateChooser {
 public:
  /// A token's logit after an open hypothesis.
  using LogitOf = std::function<float(int64_t parent, int32_t token)>;

  explicit CandidateChooser(const SearchOptions& options) : options_(options) {}

  /// How many of the best tokens of a row are needed, since some may be excluded.
  int64_t tokens_to_know(const SentenceBeam& beam) const;

  /// From the best tokens of each open hypothesis: the 2K best continuations, best first, as
  /// SentenceBeam::advance takes them. Among them are K that do not end, since a hypothesis ends in
  /// one way only. If nothing is allowed, EOS is; where phrases are required, only until enough
  /// hypotheses with them have ended. Valid until the next call.
  const std::vector<Candidate>& choose(const SentenceBeam& beam, const TopTokens* top,
                                       const LogitOf& logit_of);

 private:
  struct Row;

  void collect(const SentenceBeam& beam, const Row& row, bool past_end);
  void collect_open(const SentenceBeam& beam, const Row& row,
                    const std::vector<PartialWord::Piece>& pieces);
  void collect_constrained(const SentenceBeam& beam, const Row& row, bool past_end);
  void add(const Row& row, int32_t token, double logit, int64_t missing);
  void order(const SentenceBeam& beam);
  bool is_complete(const SentenceBeam& beam, const Row& row) const;
  bool is_excluded(int32_t token, float logit) const;

  const SearchOptions& options_;
  std::vector<Candidate> candidates_;
  std::vector<int64_t> missing_;    // of each candidate: tokens of phrases still missing
  std::vector<int32_t> repeating_;  // tokens that n-gram blocking forbids the hypothesis at hand
};

}  // namespace nmt
