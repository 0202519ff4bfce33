#include "decode/beam_search.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "decode/candidate_chooser.h"
#include "decode/sentence_beam.h"
#include "decode/step_tensors.h"

namespace nmt {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// The sentences that are still being translated, and their rows in the batch.
class ActiveBatch {
 public:
  ActiveBatch(const torch::Tensor& lengths, const SearchOptions& options,
              const ConstraintList& constraint_list)
      : options_(&options) {
    for (int64_t i = 0; i < lengths.size(0); ++i) {
      beams_.emplace_back(options, lengths[i].item<int64_t>(),
                          constraints_of(constraint_list, static_cast<size_t>(i)));
      active_.push_back(i);
    }
  }

  bool empty() const { return active_.empty(); }

  /// Widens each sentence from one row to K rows, K−1 of them empty.
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

  /// The continuations of every sentence by CandidateChooser; log_probabilities [B·K, V].
  std::vector<std::vector<Candidate>> choose(const torch::Tensor& log_probabilities) const {
    const auto values = log_probabilities.to(torch::kCPU, torch::kFloat).contiguous();
    const std::vector<float> no_bias(static_cast<size_t>(values.size(1)), 0.0F);
    CandidateChooser chooser(*options_);
    std::vector<std::vector<Candidate>> candidates;
    for (size_t place = 0; place < active_.size(); ++place) {
      const auto& sentence = beam(active_[place]);
      const auto first_row = static_cast<int64_t>(place) * options_->beam_size;
      const auto row = [&](int64_t parent) {
        return values.data_ptr<float>() + (first_row + parent) * values.size(1);
      };
      const int64_t num_best = chooser.tokens_to_know(sentence);
      std::vector<TopTokens> top(sentence.open().size());
      for (size_t k = 0; k < top.size(); ++k) {
        add_to_top(row(static_cast<int64_t>(k)), no_bias.data(), values.size(1), 0, num_best,
                   top[k]);
        top[k].set_denominator(0.0F);  // with a language model they do not sum to 1
      }
      candidates.push_back(chooser.choose(
          sentence, top.data(), [&](int64_t parent, int32_t token) { return row(parent)[token]; }));
    }
    return candidates;
  }

  /// The ending rule of each sentence, [B].
  std::vector<Ending> endings() const {
    std::vector<Ending> values;
    for (const int64_t sentence : active_) values.push_back(beam(sentence).ending());
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
      sentence.advance(candidates[place],
                       [&](int64_t parent) { return weights.row(first_row + parent); });
      if (sentence.done()) continue;
      still_active.push_back(active_[place]);
      places.push_back(static_cast<int64_t>(place));
      for (size_t k = 0; k < width(); ++k) {
        const auto& open = sentence.open();
        rows.push_back(first_row + (k < open.size() ? open[k].parent : 0));
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

/// The result of CandidateChooser for all sentences together, if is_unconstrained(): the 2K best
/// continuations of each, best first. A topk of log_probabilities [B·K, V] on the model's device;
/// CandidateChooser would need all of them on the CPU.
std::vector<std::vector<Candidate>> best_candidates(const torch::Tensor& log_probabilities,
                                                    const ActiveBatch& batch,
                                                    const SearchOptions& options) {
  const int64_t vocabulary_size = log_probabilities.size(1);
  const int64_t beam_size = options.beam_size;
  const auto allowed = restrict_tokens(log_probabilities, options, batch.endings());
  const auto sums = allowed.view({-1, beam_size, vocabulary_size}) +
                    batch.totals().to(allowed.device());  // [B, K, V]
  const auto flat = sums.view({sums.size(0), -1});        // [B, K·V]
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
                                                 const SearchOptions& options,
                                                 const ConstraintList& constraint_list) {
  const c10::InferenceMode no_gradients;
  start_search(stepper, source, lengths, options, constraint_list);
  ActiveBatch batch(lengths, options, constraint_list);
  const bool unconstrained = is_unconstrained(options, constraint_list);
  batch.widen(stepper);
  while (!batch.empty()) {
    const auto step = stepper.advance(batch.tokens());
    const auto attention = keeps_attention(options) ? step.attention : torch::Tensor();
    batch.advance(unconstrained ? best_candidates(step.log_probabilities, batch, options)
                                : batch.choose(step.log_probabilities),
                  attention, stepper);
  }
  return batch.results();
}

}  // namespace nmt
