#include "decode/candidate_chooser.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "decode/phrase_constraints.h"

namespace nmt {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

bool is_constrained(const SentenceBeam& beam) {
  return beam.constraints() != nullptr && !beam.constraints()->phrases.empty();
}

bool is_among(const std::vector<int32_t>& tokens, int32_t token) {
  return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
}

// The next tokens that would repeat an n-gram of `tokens` (Paulus et al. 2018, section 2.5).
std::vector<int32_t> repeating_tokens(const std::vector<int32_t>& tokens, int64_t n) {
  std::vector<int32_t> found;
  const int64_t context = n - 1;
  if (static_cast<int64_t>(tokens.size()) < n) return found;
  const auto last = tokens.end() - context;
  for (auto begin = tokens.begin(); begin + context != tokens.end(); ++begin) {
    if (std::equal(last, tokens.end(), begin)) found.push_back(*(begin + context));
  }
  return found;
}

/// Diverse beam search (Vijayakumar et al. 2016) with Hamming diversity: the groups choose one
/// after another, and each earlier group's choice of a token in this step lowers its score by
/// diversity_strength. This affects the choice only; log-probabilities stay the model's. Orders the
/// candidates group after group and truncates each to twice the group's size.
void order_in_groups(const std::vector<OpenHypothesis>& open, const SearchOptions& options,
                     std::vector<Candidate>& candidates) {
  const int64_t group_size = options.beam_size / options.diverse_groups;
  std::map<int32_t, double> times_chosen;
  const auto value = [&](const Candidate& candidate) {
    return candidate.total - options.diversity_strength * times_chosen[candidate.token];
  };
  std::vector<Candidate> all;
  for (int64_t group = 0; group < options.diverse_groups; ++group) {
    std::vector<Candidate> own;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(own),
                 [&](const Candidate& candidate) {
                   return open[static_cast<size_t>(candidate.parent)].group == group;
                 });
    std::stable_sort(own.begin(), own.end(),
                     [&](const Candidate& a, const Candidate& b) { return value(a) > value(b); });
    own.resize(std::min(own.size(), static_cast<size_t>(2 * group_size)));
    int64_t room = group_size;
    for (const auto& candidate : own) {
      if (candidate.token == kEosId) continue;
      if (room-- == 0) break;
      ++times_chosen[candidate.token];
    }
    all.insert(all.end(), own.begin(), own.end());
  }
  candidates = std::move(all);
}

}  // namespace

/// An open hypothesis and the model's prediction of its next token.
struct CandidateChooser::Row {
  const SentenceBeam& beam;
  int64_t parent;
  const OpenHypothesis& open;
  const TopTokens& top;
  const LogitOf& logit_of;
  double log_denominator;
  float logit(int32_t token) const { return logit_of(parent, token); }
};

int64_t CandidateChooser::num_best_needed(const SentenceBeam& beam) const {
  size_t repeating = 0;  // after any of the hypotheses, at most
  if (options_.no_repeat_ngram > 0) {
    for (const auto& open : beam.open()) {
      const auto tokens = repeating_tokens(beam.tokens(open), options_.no_repeat_ngram);
      repeating = std::max(repeating, tokens.size());
    }
  }
  const size_t excluded = options_.suppressed_tokens.size() + repeating;
  return 2 * options_.beam_size + 1 + static_cast<int64_t>(excluded);
}

const std::vector<Candidate>& CandidateChooser::choose(const SentenceBeam& beam,
                                                       const TopTokens* top,
                                                       const LogitOf& logit_of) {
  candidates_.clear();
  missing_.clear();
  keeps_best_ = !is_constrained(beam) && options_.diverse_groups == 1;
  const auto num_open = static_cast<int64_t>(beam.open().size());
  const auto row = [&](int64_t k) -> Row {
    return {beam,   k,        beam.open()[static_cast<size_t>(k)],
            top[k], logit_of, top[k].log_denominator()};
  };
  for (int64_t k = 0; k < num_open; ++k) collect(row(k), false);
  if (candidates_.empty() && is_constrained(beam)) {
    if (beam.has_n_best()) return candidates_;
    for (int64_t k = 0; k < num_open; ++k) collect(row(k), true);
  }
  if (candidates_.empty()) {
    for (int64_t k = 0; k < num_open; ++k) add(row(k), kEosId, row(k).logit(kEosId), 0);
  }
  order(beam);
  return candidates_;
}

void CandidateChooser::collect(const Row& row, bool past_end) {
  const auto& beam = row.beam;
  if (const auto forced = beam.forced_token()) {
    add(row, *forced, row.logit(*forced), 0);
    return;
  }
  if (const auto* pieces = beam.open_pieces(row.open)) return collect_open(row, *pieces);
  if (options_.no_repeat_ngram > 0) {
    repeating_ = repeating_tokens(beam.tokens(row.open), options_.no_repeat_ngram);
  }
  if (is_constrained(beam)) return collect_constrained(row, past_end);
  const bool may_end = beam.ending() != Ending::kForbidden;
  for (const auto& [token, logit] : row.top.best) {
    if (is_excluded(token, logit) || (token == kEosId && !may_end)) continue;
    if (!add(row, token, logit, 0)) break;  // nor this row's other tokens, which are less likely
  }
}

/// Collects the tokens that continue the partial word, even if an n-gram is blocked.
void CandidateChooser::collect_open(const Row& row, const std::vector<PartialWord::Piece>& pieces) {
  auto tokens = row.beam.tokens(row.open);
  for (const auto& piece : pieces) {
    tokens.push_back(piece.token);
    const auto missing = phrase_progress(tokens, *row.beam.constraints()).missing;
    tokens.pop_back();
    add(row, piece.token, row.logit(piece.token), missing);
  }
}

/// Collects the best tokens that leave room for the missing phrases, and the phrases' next tokens.
/// Unless `past_end`, a complete sentence is not continued: a phrase after it would stand alone.
void CandidateChooser::collect_constrained(const Row& row, bool past_end) {
  const auto& beam = row.beam;
  auto tokens = beam.tokens(row.open);
  const auto now = phrase_progress(tokens, *beam.constraints());
  if (!past_end && now.missing > 0 && !now.begun && is_complete(row)) return;
  const bool may_end = beam.ending() != Ending::kForbidden && now.missing == 0;
  std::vector<int32_t> possible;  // each once, also where several phrases want the same token
  const auto consider = [&](int32_t token) {
    if (!is_among(possible, token)) possible.push_back(token);
  };
  for (const int32_t token : now.wanted) consider(token);
  // Use no more tokens than this sentence needs: how many are known depends on the other sentences
  // of the batch.
  auto room = static_cast<size_t>(num_best_needed(beam));
  for (const auto& [token, logit] : row.top.best) {
    if (room-- == 0) break;
    if (is_excluded(token, logit) || (token == kEosId && !may_end)) continue;
    consider(token);
  }
  for (const int32_t token : possible) {
    tokens.push_back(token);
    const auto missing = phrase_progress(tokens, *beam.constraints()).missing;
    tokens.pop_back();
    if (missing > beam.tokens_left() - 1 && token != kEosId) continue;
    add(row, token, row.logit(token), missing);
  }
}

/// Returns false if neither this candidate nor any less likely one would be kept.
bool CandidateChooser::add(const Row& row, int32_t token, double logit, int64_t missing) {
  const Candidate candidate{row.parent, token,
                            row.open.log_probability + (logit - row.log_denominator)};
  if (keeps_best_) return keep(candidate);
  candidates_.push_back(candidate);
  missing_.push_back(missing);
  return true;
}

/// Adds it to the 2K best, which stay in order; otherwise as add().
bool CandidateChooser::keep(const Candidate& candidate) {
  const auto is_better = [](const Candidate& a, const Candidate& b) {
    return a.total != b.total ? a.total > b.total
                              : std::tie(a.parent, a.token) < std::tie(b.parent, b.token);
  };
  if (candidates_.size() == static_cast<size_t>(2 * options_.beam_size)) {
    const auto& last = candidates_.back();
    if (!is_better(candidate, last)) return candidate.total == last.total;
    candidates_.pop_back();
  }
  const auto place = std::upper_bound(candidates_.begin(), candidates_.end(), candidate, is_better);
  candidates_.insert(place, candidate);
  return true;
}

void CandidateChooser::order(const SentenceBeam& beam) {
  if (is_constrained(beam)) {
    share_among_banks(missing_, options_.beam_size, candidates_);
  } else if (options_.diverse_groups > 1) {
    order_in_groups(beam.open(), options_, candidates_);
  }
}

/// Whether the model itself (not the prefix) wrote a sentence-ending mark and now prefers EOS.
bool CandidateChooser::is_complete(const Row& row) const {
  const auto& constraints = *row.beam.constraints();
  const auto given =
      static_cast<int64_t>(constraints.prefix.size()) + constraints.partial_word.max_tokens();
  if (constraints.joints == nullptr || row.beam.length() <= given ||
      !constraints.joints->end_sentence[static_cast<size_t>(row.open.token)]) {
    return false;
  }
  const auto best =
      std::find_if(row.top.best.begin(), row.top.best.end(),
                   [&](const TokenLogit& entry) { return !is_excluded(entry.token, entry.logit); });
  return best != row.top.best.end() && best->token == kEosId;
}

bool CandidateChooser::is_excluded(int32_t token, float logit) const {
  const auto& suppressed = options_.suppressed_tokens;
  return logit == kImpossible ||
         std::find(suppressed.begin(), suppressed.end(), token) != suppressed.end() ||
         is_among(repeating_, token);
}

}  // namespace nmt
