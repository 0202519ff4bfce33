#include "decode/batch_search.h"

#include <algorithm>

#include "data/batch.h"
#include "decode/beam_search.h"
#include "decode/candidate_chooser.h"
#include "decode/greedy_and_sampling_search.h"
#include "decode/length_order.h"

namespace nmt {
namespace {

/// Attention rows of a padded batch are as wide as its longest source.
void remove_padding(std::vector<Hypothesis>& hypotheses, size_t source_length) {
  for (auto& hypothesis : hypotheses) {
    for (auto& row : hypothesis.attention) {
      if (!row.empty()) row.resize(source_length);  // [S] to [own S]
    }
  }
}

}  // namespace

BatchSearch make_search(const SearchOptions& options) {
  if (options.sampling) {
    return [options](Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
                     const ConstraintList&) {
      return sample_search(stepper, source, lengths, options);
    };
  }
  return [options](Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
                   const ConstraintList& constraint_list) {
    const bool is_greedy =
        options.beam_size == 1 && options.coverage_penalty == 0.0 && options.observe == nullptr;
    if (!is_greedy || !is_unconstrained(options, constraint_list)) {
      return beam_search(stepper, source, lengths, options, constraint_list);
    }
    std::vector<std::vector<Hypothesis>> results;
    for (auto& hypothesis : greedy_search(stepper, source, lengths, options)) {
      results.push_back({std::move(hypothesis)});
    }
    return results;
  };
}

std::vector<std::vector<Hypothesis>> search_all(Stepper& stepper,
                                                const std::vector<std::vector<int32_t>>& sources,
                                                int64_t batch_size, const BatchSearch& search,
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
    auto found = search(stepper, batch.source, batch.source_lengths, chunk_constraints);
    for (size_t i = begin; i < end; ++i) {
      remove_padding(found[i - begin], chunk[i - begin].size());
      results[order[i]] = std::move(found[i - begin]);
    }
  }
  return results;
}

}  // namespace nmt
