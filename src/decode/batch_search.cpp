#include "decode/batch_search.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "checkpoint/lexical_shortlist.h"
#include "data/batch.h"
#include "decode/candidate_chooser.h"
#include "decode/length_order.h"
#include "decode/lexical_candidates.h"
#include "decode/sentence_beam.h"
#include "decode/token_sampler.h"

namespace nmt {
namespace {

/// The rows of a tensor [N, size] as plain numbers; copied to the CPU when first needed.
class TensorRows {
 public:
  explicit TensorRows(torch::Tensor tensor) : tensor_(std::move(tensor)) {}

  bool defined() const { return tensor_.defined(); }
  int64_t size() const { return tensor_.size(1); }

  const float* row(int64_t index) {
    if (values_ == nullptr) {
      tensor_ = tensor_.to(torch::kCPU, torch::kFloat).contiguous();
      values_ = tensor_.data_ptr<float>();
    }
    return values_ + index * size();
  }

 private:
  torch::Tensor tensor_;
  const float* values_ = nullptr;
};

/// The best tokens of each row of log_probabilities [N, V]. Chosen on the model's device, since
/// copying all of them would take longer.
std::vector<TopTokens> best_tokens(const torch::Tensor& log_probabilities, int64_t num_best) {
  const int64_t count = std::min(num_best, log_probabilities.size(1));
  const auto [values, indices] = log_probabilities.topk(count, 1);  // [N, count]
  const auto logits = values.to(torch::kCPU, torch::kFloat).contiguous();
  const auto tokens = indices.to(torch::kCPU).contiguous();
  std::vector<TopTokens> rows(static_cast<size_t>(logits.size(0)));
  for (int64_t i = 0; i < logits.numel(); ++i) {
    rows[static_cast<size_t>(i / count)].best.push_back(
        {static_cast<int32_t>(tokens.data_ptr<int64_t>()[i]), logits.data_ptr<float>()[i]});
  }
  for (auto& row : rows) row.set_denominator(0.0F);  // with a language model they do not sum to 1
  return rows;
}

/// The sentences that are still being translated, and their rows in the batch.
class ActiveBatch {
 public:
  ActiveBatch(Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
              const SearchOptions& options, const ConstraintList& constraint_list)
      : stepper_(stepper), options_(options), chooser_(options) {
    stepper.start(source, lengths);
    torch::Tensor allowed;  // [B, V]
    if (options.shortlist != nullptr) {
      allowed =
          torch::zeros({source.size(0), options.shortlist->target_vocabulary_size}, torch::kBool);
    }
    for (int64_t i = 0; i < source.size(0); ++i) {
      const auto length = lengths[i].item<int64_t>();
      const auto ids = source[i].narrow(0, 0, length).to(torch::kInt).contiguous();
      const std::vector<int32_t> tokens(ids.data_ptr<int32_t>(), ids.data_ptr<int32_t>() + length);
      const auto* constraints = constraints_of(constraint_list, static_cast<size_t>(i));
      active_.push_back(i);
      beams_.emplace_back(options, length, constraints);
      keys_.push_back(options.sampling ? sampling_key(options.sampling->seed, tokens) : 0);
      if (!allowed.defined()) continue;
      for (const int32_t token : lexical_candidates(*options.shortlist, tokens, constraints)) {
        allowed[i][token] = true;
      }
    }
    if (allowed.defined()) stepper.restrict_to(allowed);
    select_rows();
  }

  bool empty() const { return active_.empty(); }

  /// Takes one step for every sentence, then drops those that are done.
  void step() {
    const auto output = stepper_.advance(last_tokens());
    const auto candidates =
        options_.sampling ? draw(output.log_probabilities) : choose(output.log_probabilities);
    TensorRows attention(keeps_attention(options_) ? output.attention : torch::Tensor());
    for (size_t place = 0; place < active_.size(); ++place) {
      beam(place).advance(candidates[place], [&](int64_t parent) {
        if (!attention.defined()) return std::vector<float>();
        const float* weights = attention.row(row_of(place, parent));
        return std::vector<float>(weights, weights + attention.size());
      });
    }
    select_rows();
  }

  std::vector<std::vector<Hypothesis>> results() const {
    std::vector<std::vector<Hypothesis>> results;
    for (const auto& sentence : beams_) results.push_back(sentence.best());
    return results;
  }

 private:
  SentenceBeam& beam(size_t place) { return beams_[static_cast<size_t>(active_[place])]; }

  int64_t row_of(size_t place, int64_t hypothesis) const {
    return static_cast<int64_t>(place) * width_ + hypothesis;
  }

  /// Drops the sentences that are done and gives each other one as many rows as the most open
  /// hypotheses of any: rows beyond its own are padding.
  void select_rows() {
    std::vector<int64_t> still_active;
    std::vector<int64_t> places;
    size_t width = 0;
    for (size_t place = 0; place < active_.size(); ++place) {
      if (beam(place).done()) continue;
      still_active.push_back(active_[place]);
      places.push_back(static_cast<int64_t>(place));
      width = std::max(width, beam(place).open().size());
    }
    std::vector<int64_t> rows;
    for (const int64_t place : places) {
      const auto& open = beam(static_cast<size_t>(place)).open();
      for (size_t k = 0; k < width; ++k) {
        rows.push_back(row_of(static_cast<size_t>(place), k < open.size() ? open[k].parent : 0));
      }
    }
    const auto all_rows = torch::arange(row_of(active_.size(), 0));
    active_ = std::move(still_active);
    width_ = static_cast<int64_t>(width);
    // Copying the states takes time, and a step of greedy search seldom changes the rows.
    const auto selected = torch::tensor(rows, torch::kLong);
    if (!empty() && !torch::equal(selected, all_rows)) {
      stepper_.select(selected, torch::tensor(places));
    }
  }

  /// [B·K]
  torch::Tensor last_tokens() {
    std::vector<int64_t> tokens;
    for (size_t place = 0; place < active_.size(); ++place) {
      for (const auto& open : beam(place).open()) tokens.push_back(open.token);
      tokens.resize((place + 1) * static_cast<size_t>(width_), kPadId);
    }
    return torch::tensor(tokens);
  }

  /// The continuations of every sentence by log_probabilities [B·K, V].
  std::vector<std::vector<Candidate>> choose(const torch::Tensor& log_probabilities) {
    int64_t num_best = 0;
    for (size_t place = 0; place < active_.size(); ++place) {
      num_best = std::max(num_best, chooser_.tokens_to_know(beam(place)));
    }
    const auto top = best_tokens(log_probabilities, num_best);
    TensorRows all(log_probabilities);
    std::vector<std::vector<Candidate>> candidates;
    for (size_t place = 0; place < active_.size(); ++place) {
      candidates.push_back(chooser_.choose(
          beam(place), &top[static_cast<size_t>(row_of(place, 0))],
          [&](int64_t parent, int32_t token) { return all.row(row_of(place, parent))[token]; }));
    }
    return candidates;
  }

  /// One continuation of each open sample by log_probabilities [B·K, V].
  std::vector<std::vector<Candidate>> draw(const torch::Tensor& log_probabilities) {
    TensorRows all(log_probabilities);
    if (!sampler_) sampler_.emplace(options_, all.size());
    std::vector<std::vector<Candidate>> candidates(active_.size());
    for (size_t place = 0; place < active_.size(); ++place) {
      const auto key = keys_[static_cast<size_t>(active_[place])];
      for (const auto& open : beam(place).open()) {
        const auto parent = static_cast<int64_t>(candidates[place].size());
        const float* row = all.row(row_of(place, parent));
        std::copy_n(row, all.size(), sampler_->row());
        const int32_t token = sampler_->draw(
            beam(place).ending(), sampling_uniform(key, open.group, beam(place).length()));
        candidates[place].push_back({parent, token, open.log_probability + double{row[token]}});
      }
    }
    return candidates;
  }

  Stepper& stepper_;
  const SearchOptions& options_;
  CandidateChooser chooser_;
  std::optional<TokenSampler> sampler_;
  std::vector<SentenceBeam> beams_;  // of all sentences
  std::vector<uint64_t> keys_;       // likewise, of their samples
  std::vector<int64_t> active_;      // sentences still in the batch, in its order
  int64_t width_ = 1;                // K, rows of each
};

/// Attention rows of a padded batch are as wide as its longest source.
void remove_padding(std::vector<Hypothesis>& hypotheses, size_t source_length) {
  for (auto& hypothesis : hypotheses) {
    for (auto& row : hypothesis.attention) {
      if (!row.empty()) row.resize(source_length);  // [S] to [own S]
    }
  }
}

}  // namespace

std::vector<std::vector<Hypothesis>> search_batch(Stepper& stepper, const torch::Tensor& source,
                                                  const torch::Tensor& lengths,
                                                  const SearchOptions& options,
                                                  const ConstraintList& constraint_list) {
  const c10::InferenceMode no_gradients;
  ActiveBatch batch(stepper, source, lengths, options, constraint_list);
  while (!batch.empty()) batch.step();
  return batch.results();
}

std::vector<std::vector<Hypothesis>> search_all(Stepper& stepper,
                                                const std::vector<std::vector<int32_t>>& sources,
                                                int64_t batch_size, const SearchOptions& options,
                                                const ConstraintList& constraint_list) {
  std::vector<std::vector<Hypothesis>> results(sources.size(), {Hypothesis{}});
  auto order = longest_first(sources);
  while (!order.empty() && sources[order.back()].empty()) order.pop_back();
  for (size_t begin = 0; begin < order.size(); begin += static_cast<size_t>(batch_size)) {
    const size_t end = std::min(order.size(), begin + static_cast<size_t>(batch_size));
    std::vector<std::vector<int32_t>> chunk;
    ConstraintList chunk_constraints;
    for (size_t i = begin; i < end; ++i) {
      chunk.push_back(sources[order[i]]);
      if (!constraint_list.empty()) chunk_constraints.push_back(constraint_list[order[i]]);
    }
    const auto batch = make_source_batch(chunk);
    auto found =
        search_batch(stepper, batch.source, batch.source_lengths, options, chunk_constraints);
    for (size_t i = begin; i < end; ++i) {
      remove_padding(found[i - begin], chunk[i - begin].size());
      results[order[i]] = std::move(found[i - begin]);
    }
  }
  return results;
}

}  // namespace nmt
