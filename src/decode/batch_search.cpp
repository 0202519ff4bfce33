#include "decode/batch_search.h"

#include <algorithm>
#include <numeric>

#include "data/batch.h"
#include "decode/beam_search.h"
#include "decode/single_path_search.h"

namespace nmt {

SearchBatch make_search(const SearchOptions& options) {
  if (options.beam_size > 1) {
    return [options](Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths) {
      return beam_search(stepper, source, lengths, options);
    };
  }
  return [options](Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths) {
    std::vector<std::vector<Hypothesis>> results;
    for (auto& hypothesis : greedy_search(stepper, source, lengths, options)) {
      results.push_back({std::move(hypothesis)});
    }
    return results;
  };
}

std::vector<std::vector<Hypothesis>> search_all(Stepper& stepper,
                                                const std::vector<std::vector<int32_t>>& sources,
                                                int64_t batch_size, const SearchBatch& search) {
  std::vector<std::vector<Hypothesis>> results(sources.size(), {Hypothesis{}});
  std::vector<size_t> order;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i].empty()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sources[a].size() > sources[b].size(); });
  for (size_t begin = 0; begin < order.size(); begin += static_cast<size_t>(batch_size)) {
    const size_t end = std::min(order.size(), begin + static_cast<size_t>(batch_size));
    std::vector<std::vector<int32_t>> chunk;
    for (size_t i = begin; i < end; ++i) chunk.push_back(sources[order[i]]);
    const auto batch = make_source_batch(chunk);
    auto found = search(stepper, batch.source, batch.source_lengths);
    for (size_t i = begin; i < end; ++i) results[order[i]] = std::move(found[i - begin]);
  }
  return results;
}

}  // namespace nmt
