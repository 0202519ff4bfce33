#include "decode/sentence_beam.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nmt {
namespace {

// Penalty for source tokens with little attention: Σ_i log min(a_i, 1), a_i being the total
// attention on source token i (Wu et al. 2016, equation 14, without its β). At most 0.
double coverage_penalty(const std::vector<double>& attention_sums) {
  constexpr double kMin = 1e-6;  // keeps the logarithm finite
  double penalty = 0.0;
  for (const double sum : attention_sums) penalty += std::log(std::clamp(sum, kMin, 1.0));
  return penalty;
}

}  // namespace

int64_t token_limit(const SearchOptions& options, int64_t source_length,
                    const DecodingConstraints* constraints) {
  const int64_t limit = output_limit(options, source_length);
  if (constraints == nullptr) return limit;
  auto asked =
      static_cast<int64_t>(constraints->prefix.size()) + constraints->partial_word.max_tokens();
  if (constraints->ends) return asked;
  for (const auto& phrase : constraints->phrases) asked += static_cast<int64_t>(phrase.size());
  return std::max(limit, asked);
}

SentenceBeam::SentenceBeam(const SearchOptions& options, int64_t source_length,
                           const DecodingConstraints* constraints)
    : options_(&options),
      constraints_(constraints),
      source_length_(source_length),
      limit_(token_limit(options, source_length, constraints)),
      groups_(static_cast<size_t>(options.sampling ? options.n_best : options.diverse_groups)) {
  for (int64_t group = 0; group < static_cast<int64_t>(groups_.size()); ++group) {
    open_.push_back({});
    open_.back().group = group;
  }
}

size_t SentenceBeam::group_size() const {
  return options_->sampling ? 1
                            : static_cast<size_t>(options_->beam_size / options_->diverse_groups);
}

Ending SentenceBeam::ending() const {
  if (length_ >= limit_) return Ending::kForced;
  return length_ < options_->min_length ? Ending::kForbidden : Ending::kAllowed;
}

std::optional<int32_t> SentenceBeam::forced_token() const {
  if (constraints_ != nullptr && length_ < static_cast<int64_t>(constraints_->prefix.size())) {
    return constraints_->prefix[static_cast<size_t>(length_)];
  }
  if (ending() == Ending::kForced) return kEosId;
  return std::nullopt;
}

const OpenHypothesis& SentenceBeam::likeliest() const {
  return *std::max_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
    return a.log_probability < b.log_probability;
  });
}

const std::vector<PartialWord::Piece>* SentenceBeam::open_pieces(const OpenHypothesis& open) const {
  if (constraints_ == nullptr || constraints_->partial_word.is_spelled(open.spelled))
    return nullptr;
  return &constraints_->partial_word.pieces[open.spelled];
}

size_t SentenceBeam::spelled_with(const OpenHypothesis& open, int32_t token) const {
  const bool spells =
      open_pieces(open) != nullptr && length_ > static_cast<int64_t>(constraints_->prefix.size());
  return spells ? constraints_->partial_word.place_after(open.spelled, token) : open.spelled;
}

void SentenceBeam::advance(const std::vector<Candidate>& candidates,
                           const std::function<std::vector<float>(int64_t)>& attention_of) {
  next_.clear();
  std::vector<ConsideredCandidate> considered;  // for options_->observe
  ++length_;
  for (auto& group : groups_) group.seen = group.open = 0;
  for (const Candidate& candidate : candidates) {
    const OpenHypothesis& from = open_[static_cast<size_t>(candidate.parent)];
    Group& group = groups_[static_cast<size_t>(from.group)];
    const bool ends = candidate.token == kEosId;
    const size_t rank = group.seen++;
    const bool cut_off = (ends ? rank : group.open) >= group_size();
    if (options_->observe) {
      considered.push_back({candidate.parent, candidate.token,
                            candidate.total - from.log_probability, candidate.total,
                            candidate.total / length_divisor(*options_, length_),
                            cut_off ? Fate::kPruned : (ends ? Fate::kEnded : Fate::kOpen)});
    }
    if (cut_off) continue;
    const int32_t node =
        history_.extend(from.node, candidate.token, candidate.total - from.log_probability,
                        attention_of(candidate.parent));
    if (ends) {
      ++group.ended;
      finish(node);
    } else {
      ++group.open;
      next_.push_back({node, candidate.parent, candidate.token, candidate.total, from.group,
                       spelled_with(from, candidate.token)});
    }
  }
  open_.swap(next_);
  if (options_->observe) options_->observe(considered);
  if (groups_.size() > 1) drop_full_groups();
}

void SentenceBeam::drop_full_groups() {
  const auto full = [&](const OpenHypothesis& hypothesis) {
    return groups_[static_cast<size_t>(hypothesis.group)].ended >= group_size();
  };
  open_.erase(std::remove_if(open_.begin(), open_.end(), full), open_.end());
}

bool SentenceBeam::done() const {
  if (open_.empty()) return true;
  if (groups_.size() > 1) return false;  // every group runs to its end
  if (ended_.size() >= group_size()) return true;
  const auto n_best = static_cast<size_t>(options_->n_best);
  return has_n_best() && ended_[n_best - 1].first >= best_reachable_score();
}

std::vector<Hypothesis> SentenceBeam::best() const {
  std::vector<Hypothesis> hypotheses;
  const auto is_known = [&](const Hypothesis& hypothesis) {  // diverse groups may find the same
    return std::any_of(hypotheses.begin(), hypotheses.end(),
                       [&](const Hypothesis& other) { return other.tokens == hypothesis.tokens; });
  };
  for (const auto& [score, node] : ended_) {
    if (hypotheses.size() == static_cast<size_t>(options_->n_best)) break;
    auto hypothesis = history_.trace(node);
    if (options_->diverse_groups > 1 && is_known(hypothesis)) continue;
    hypothesis.score = score;
    hypotheses.push_back(std::move(hypothesis));
  }
  return hypotheses;
}

void SentenceBeam::finish(int32_t node) {
  const double value = score(node);
  const auto worse = [](double a, const auto& entry) { return a > entry.first; };
  const auto place = std::upper_bound(ended_.begin(), ended_.end(), value, worse);
  ended_.insert(place, {value, node});
}

double SentenceBeam::score(int32_t node) const {
  const double normalized = history_.log_probability(node) / length_divisor(*options_, length_);
  if (options_->coverage_penalty == 0.0) return normalized;
  return normalized + options_->coverage_penalty *
                          coverage_penalty(history_.attention_sums(node, source_length_));
}

/// Log-probabilities only fall and the coverage penalty only lowers scores, so the best that an
/// open hypothesis can reach is its current log-probability, divided by the most favorable length.
double SentenceBeam::best_reachable_score() const {
  double best = -std::numeric_limits<double>::infinity();
  for (const auto& hypothesis : open_) best = std::max(best, hypothesis.log_probability);
  const double soon = best / length_divisor(*options_, length_ + 1);
  const double late = best / length_divisor(*options_, limit_ + 1);
  return std::max(soon, late);
}

}  // namespace nmt
