#include "decode/beam_search.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "decode/step_tensors.h"
#include "decode/token_history.h"

namespace nmt {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// One way to go on: row of the batch, token, the token's own log-probability.
struct Candidate {
  int64_t beam;
  int32_t token;
  double total;  // log-probability of the hypothesis with this token
};

/// A hypothesis that has not ended.
struct OpenHypothesis {
  int32_t node = TokenHistory::kRoot;
  int64_t beam = 0;  // which of the sentence's K rows it goes on from
  int32_t token = kBosId;
  double log_probability = 0.0;
};

/// The beam of one sentence: at most K open hypotheses and all that have ended.
class SentenceBeam {
 public:
  SentenceBeam(const SearchOptions& options, int64_t source_length)
      : options_(&options), limit_(output_limit(options, source_length)), open_(1) {}

  const std::vector<OpenHypothesis>& open() const { return open_; }

  /// True where the next token has to be EOS.
  bool must_end() const { return length_ >= limit_; }

  /// Takes the next step's candidates, best first. Those among the first K that end are ended
  /// hypotheses; the best K others stay open.
  /// The sentence's rows start at `first_row` of the batch.
  void advance(const std::vector<Candidate>& candidates, const AttentionRows& attention,
               int64_t first_row) {
    std::vector<OpenHypothesis> next;
    ++length_;
    for (size_t rank = 0; rank < candidates.size(); ++rank) {
      const Candidate& candidate = candidates[rank];
      const bool ends = candidate.token == kEosId;
      if (ends ? rank >= beam_size() : next.size() >= beam_size()) continue;
      const OpenHypothesis& from = open_[static_cast<size_t>(candidate.beam)];
      const int32_t node =
          history_.extend(from.node, candidate.token, candidate.total - from.log_probability,
                          attention.row(first_row + candidate.beam));
      if (ends) {
        finish(node);
      } else {
        next.push_back({node, candidate.beam, candidate.token, candidate.total});
      }
    }
    open_ = std::move(next);
  }

  bool done() const {
    if (open_.empty() || ended_.size() >= beam_size()) return true;
    const auto n_best = static_cast<size_t>(options_->n_best);
    return ended_.size() >= n_best && ended_[n_best - 1].first >= best_reachable_score();
  }

  std::vector<Hypothesis> best() const {
    std::vector<Hypothesis> hypotheses;
    for (const auto& [score, node] : ended_) {
      if (hypotheses.size() == static_cast<size_t>(options_->n_best)) break;
      hypotheses.push_back(history_.trace(node));
      hypotheses.back().score = score;
    }
    return hypotheses;
  }

 private:
  size_t beam_size() const { return static_cast<size_t>(options_->beam_size); }

  void finish(int32_t node) {
    const double score = history_.log_probability(node) / length_divisor(*options_, length_);
    const auto worse = [](double value, const auto& entry) { return value > entry.first; };
    const auto place = std::upper_bound(ended_.begin(), ended_.end(), score, worse);
    ended_.insert(place, {score, node});
  }

  // Log-probabilities only fall, so an open hypothesis can do no better than to end with no further
  // loss at the length that divides it most favourably.
  double best_reachable_score() const {
    double best = kMinusInfinity;
    for (const auto& hypothesis : open_) best = std::max(best, hypothesis.log_probability);
    const double soon = best / length_divisor(*options_, length_ + 1);
    const double late = best / length_divisor(*options_, limit_ + 1);
    return std::max(soon, late);
  }

  const SearchOptions* options_;
  int64_t limit_;
  int64_t length_ = 0;
  TokenHistory history_;
  std::vector<OpenHypothesis> open_;
  std::vector<std::pair<double, int32_t>> ended_;  // score and node, best first
};

/// The sentences that are still being translated, and their rows in the batch.
class ActiveBatch {
 public:
  ActiveBatch(const torch::Tensor& lengths, const SearchOptions& options) : options_(&options) {
    for (int64_t i = 0; i < lengths.size(0); ++i) {
      beams_.emplace_back(options, lengths[i].item<int64_t>());
      active_.push_back(i);
    }
  }

  bool empty() const { return active_.empty(); }

  /// Every sentence begins with one row and gets K, K−1 of them empty.
  void widen(Stepper& stepper) const {
    const auto sentences = torch::arange(static_cast<int64_t>(active_.size()));
    stepper.select(sentences.repeat_interleave(options_->beam_size), sentences);
  }

  /// Last tokens of all rows, [B·K].
  torch::Tensor tokens() const {
    std::vector<int64_t> values;
    for (const int64_t sentence : active_) {
      const auto& open = beam(sentence).open();
      for (size_t k = 0; k < width(); ++k)
        values.push_back(k < open.size() ? open[k].token : kPadId);
    }
    return torch::tensor(values);
  }

  /// Log-probabilities so far of all rows, [B, K, 1]; −inf for empty rows.
  torch::Tensor totals() const {
    std::vector<double> values;
    for (const int64_t sentence : active_) {
      const auto& open = beam(sentence).open();
      for (size_t k = 0; k < width(); ++k) {
        values.push_back(k < open.size() ? open[k].log_probability : kMinusInfinity);
      }
    }
    return torch::tensor(values, torch::kDouble).view({-1, options_->beam_size, 1});
  }

  /// True for the sentences that must end now, one for each of B.
  std::vector<bool> must_end() const {
    std::vector<bool> values;
    for (const int64_t sentence : active_) values.push_back(beam(sentence).must_end());
    return values;
  }

  /// Takes one step for every sentence, then drops those that are done.
  void advance(const std::vector<std::vector<Candidate>>& candidates,
               const torch::Tensor& attention, Stepper& stepper) {
    const AttentionRows weights(attention);
    std::vector<int64_t> rows;
    std::vector<int64_t> places;
    std::vector<int64_t> still_active;
    for (size_t place = 0; place < active_.size(); ++place) {
      auto& sentence = beams_[static_cast<size_t>(active_[place])];
      const auto first_row = static_cast<int64_t>(place) * options_->beam_size;
      sentence.advance(candidates[place], weights, first_row);
      if (sentence.done()) continue;
      still_active.push_back(active_[place]);
      places.push_back(static_cast<int64_t>(place));
      for (size_t k = 0; k < width(); ++k) {
        const auto& open = sentence.open();
        rows.push_back(first_row + (k < open.size() ? open[k].beam : 0));
      }
    }
    active_ = std::move(still_active);
    if (!active_.empty()) stepper.select(torch::tensor(rows), torch::tensor(places));
  }

  std::vector<std::vector<Hypothesis>> results() const {
    std::vector<std::vector<Hypothesis>> results;
    for (const auto& sentence : beams_) results.push_back(sentence.best());
    return results;
  }

 private:
  size_t width() const { return static_cast<size_t>(options_->beam_size); }
  const SentenceBeam& beam(int64_t sentence) const { return beams_[static_cast<size_t>(sentence)]; }

  const SearchOptions* options_;
  std::vector<SentenceBeam> beams_;
  std::vector<int64_t> active_;  // sentences still in the batch, in its order
};

/// The 2K best continuations of every sentence, best first: among them K that do not end, since a
/// row ends in one way only. log_probabilities [B·K, V], totals [B, K, 1].
std::vector<std::vector<Candidate>> best_candidates(const torch::Tensor& log_probabilities,
                                                    const torch::Tensor& totals) {
  const int64_t vocabulary_size = log_probabilities.size(1);
  const int64_t beam_size = totals.size(1);
  const auto sums = log_probabilities.view({-1, beam_size, vocabulary_size}) +
                    totals.to(log_probabilities.device());  // [B, K, V]
  const auto flat = sums.view({sums.size(0), -1});          // [B, K·V]
  const auto [values, indices] = flat.topk(std::min(2 * beam_size, flat.size(1)), 1);
  const auto total = values.to(torch::kCPU, torch::kDouble).contiguous();
  const auto index = indices.to(torch::kCPU).contiguous();
  std::vector<std::vector<Candidate>> candidates(static_cast<size_t>(flat.size(0)));
  for (int64_t b = 0; b < total.size(0); ++b) {
    for (int64_t rank = 0; rank < total.size(1); ++rank) {
      const int64_t at = index.data_ptr<int64_t>()[b * total.size(1) + rank];
      const double value = total.data_ptr<double>()[b * total.size(1) + rank];
      if (value == kMinusInfinity) break;
      candidates[static_cast<size_t>(b)].push_back(
          {at / vocabulary_size, static_cast<int32_t>(at % vocabulary_size), value});
    }
  }
  return candidates;
}

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(Stepper& stepper, const torch::Tensor& source,
                                                 const torch::Tensor& lengths,
                                                 const SearchOptions& options) {
  const c10::InferenceMode no_gradients;
  stepper.start(source, lengths);
  ActiveBatch batch(lengths, options);
  batch.widen(stepper);
  while (!batch.empty()) {
    const auto step = stepper.advance(batch.tokens());
    const auto allowed = restrict_tokens(step.log_probabilities, options, batch.must_end());
    const auto attention = options.attention ? step.attention : torch::Tensor();
    batch.advance(best_candidates(allowed, batch.totals()), attention, stepper);
  }
  return batch.results();
}

}  // namespace nmt
