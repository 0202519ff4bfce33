#include "decode/sentence_beam.h"

#include <algorithm>
#include <limits>

namespace nmt {

SentenceBeam::SentenceBeam(const SearchOptions& options, int64_t source_length)
    : options_(&options), limit_(output_limit(options, source_length)), open_(1) {}

void SentenceBeam::advance(const std::vector<Candidate>& candidates,
                           const std::function<std::vector<float>(int64_t)>& attention_of) {
  std::vector<OpenHypothesis> next;
  ++length_;
  for (size_t rank = 0; rank < candidates.size(); ++rank) {
    const Candidate& candidate = candidates[rank];
    const bool ends = candidate.token == kEosId;
    if (ends ? rank >= beam_size() : next.size() >= beam_size()) continue;
    const OpenHypothesis& from = open_[static_cast<size_t>(candidate.beam)];
    const int32_t node =
        history_.extend(from.node, candidate.token, candidate.total - from.log_probability,
                        attention_of(candidate.beam));
    if (ends) {
      finish(node);
    } else {
      next.push_back({node, candidate.beam, candidate.token, candidate.total});
    }
  }
  open_ = std::move(next);
}

bool SentenceBeam::done() const {
  if (open_.empty() || ended_.size() >= beam_size()) return true;
  const auto n_best = static_cast<size_t>(options_->n_best);
  return ended_.size() >= n_best && ended_[n_best - 1].first >= best_reachable_score();
}

std::vector<Hypothesis> SentenceBeam::best() const {
  std::vector<Hypothesis> hypotheses;
  for (const auto& [score, node] : ended_) {
    if (hypotheses.size() == static_cast<size_t>(options_->n_best)) break;
    hypotheses.push_back(history_.trace(node));
    hypotheses.back().score = score;
  }
  return hypotheses;
}

void SentenceBeam::finish(int32_t node) {
  const double score = history_.log_probability(node) / length_divisor(*options_, length_);
  const auto worse = [](double value, const auto& entry) { return value > entry.first; };
  const auto place = std::upper_bound(ended_.begin(), ended_.end(), score, worse);
  ended_.insert(place, {score, node});
}

/// Log-probabilities only fall, so an open hypothesis can do no better than to end with no further
/// loss at the length that divides it most favourably.
double SentenceBeam::best_reachable_score() const {
  double best = -std::numeric_limits<double>::infinity();
  for (const auto& hypothesis : open_) best = std::max(best, hypothesis.log_probability);
  const double soon = best / length_divisor(*options_, length_ + 1);
  const double late = best / length_divisor(*options_, limit_ + 1);
  return std::max(soon, late);
}

}  // namespace nmt
