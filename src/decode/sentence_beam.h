#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "decode/token_history.h"
#include "text/special_tokens.h"

namespace nmt {

/// A continuation: index of the open hypothesis, token, log-probability including the token.
struct Candidate {
  int64_t parent = 0;
  int32_t token = 0;
  double total = 0.0;
};

/// A hypothesis that has not ended.
struct OpenHypothesis {
  int32_t node = TokenHistory::kRoot;
  int64_t parent = 0;  // index, among the previous open ones, of the one it extends
  int32_t token = kBosId;
  double log_probability = 0.0;
  int64_t group = 0;   // of the options' diverse_groups, or the sample
  size_t spelled = 0;  // position in the partial word
};

/// Maximum tokens of a translation, without EOS: output_limit(), or more if the constraints need
/// more; with DecodingConstraints::ends, just what these need. `constraints` may be null.
int64_t token_limit(const SearchOptions& options, int64_t source_length,
                    const DecodingConstraints* constraints);

/// The beam of one sentence: at most K open hypotheses and all that have ended. An ended hypothesis
/// is set aside and never displaced by an open one. Diverse groups are separate beams of K /
/// groups, and samples are separate beams of one.
class SentenceBeam {
 public:
  /// The options and the constraints, which may be null, must outlive this.
  SentenceBeam(const SearchOptions& options, int64_t source_length,
               const DecodingConstraints* constraints = nullptr);

  const std::vector<OpenHypothesis>& open() const { return open_; }

  /// The likeliest open hypothesis; requires one.
  const OpenHypothesis& likeliest() const;

  /// The length of all open hypotheses, in tokens.
  int64_t length() const { return length_; }

  /// The rule for the next token of all open hypotheses.
  Ending ending() const;

  /// The next token of all open hypotheses if it is forced: by the prefix, or EOS at the length
  /// limit.
  std::optional<int32_t> forced_token() const;

  /// The tokens that can continue the hypothesis's partial word; null if there is no partial word
  /// or it is complete.
  const std::vector<PartialWord::Piece>* open_pieces(const OpenHypothesis& open) const;

  /// Tokens that each open hypothesis may still append before EOS.
  int64_t tokens_left() const { return limit_ - length_; }

  const DecodingConstraints* constraints() const { return constraints_; }

  std::vector<int32_t> tokens(const OpenHypothesis& open) const {
    return history_.tokens(open.node);
  }

  /// Takes the next step's candidates, each group's best first. In each group, of size k: those
  /// among the first k that end become ended hypotheses, and the best k others stay open.
  /// `attention_of` returns the attention weights of an open hypothesis.
  void advance(const std::vector<Candidate>& candidates,
               const std::function<std::vector<float>(int64_t parent)>& attention_of);

  /// Whether enough hypotheses for the n-best list have ended.
  bool has_n_best() const { return ended_.size() >= static_cast<size_t>(options_->n_best); }

  /// Whether the result is certain: K hypotheses have ended, or no open one can still enter the
  /// n-best list. With several groups, whether no hypothesis is open.
  bool done() const;

  /// The n-best hypotheses, best first; fewer where fewer ended.
  std::vector<Hypothesis> best() const;

 private:
  /// Counts of one diverse group, or of the whole beam.
  struct Group {
    size_t seen = 0;  // candidates
    size_t open = 0;
    size_t ended = 0;  // over all steps
  };

  size_t group_size() const;
  void drop_full_groups();
  void finish(int32_t node);
  size_t spelled_with(const OpenHypothesis& open, int32_t token) const;
  double score(int32_t node) const;
  double best_reachable_score() const;

  const SearchOptions* options_;
  const DecodingConstraints* constraints_;
  int64_t source_length_;
  int64_t limit_;
  int64_t length_ = 0;
  TokenHistory history_;
  std::vector<OpenHypothesis> open_;
  std::vector<OpenHypothesis>
      next_;  // of advance(), which allocates nothing when it is called again
  std::vector<Group> groups_;
  std::vector<std::pair<double, int32_t>> ended_;  // score and node, best first
};

}  // namespace nmt
