#include "decode/diverse_groups.h"

#include <algorithm>
#include <map>

namespace nmt {
namespace {

using TokenCounts = std::map<int32_t, int64_t>;  // choices of each token in this step

std::vector<Candidate> candidates_of(const std::vector<OpenHypothesis>& open, int64_t group,
                                     const std::vector<Candidate>& candidates) {
  std::vector<Candidate> own;
  for (const auto& candidate : candidates) {
    if (open[static_cast<size_t>(candidate.beam)].group == group) own.push_back(candidate);
  }
  return own;
}

void count_chosen(const std::vector<Candidate>& ordered, int64_t group_size, TokenCounts& chosen) {
  int64_t room = group_size;
  for (const auto& candidate : ordered) {
    if (candidate.token == kEosId) continue;
    if (room-- == 0) return;
    ++chosen[candidate.token];
  }
}

}  // namespace

void order_in_groups(const std::vector<OpenHypothesis>& open, const SearchOptions& options,
                     std::vector<Candidate>& candidates) {
  const int64_t group_size = options.beam_size / options.diverse_groups;
  TokenCounts chosen;
  const auto value = [&](const Candidate& candidate) {
    const auto found = chosen.find(candidate.token);
    const auto times = found == chosen.end() ? 0.0 : static_cast<double>(found->second);
    return candidate.total - options.diversity_strength * times;
  };
  std::vector<Candidate> all;
  for (int64_t group = 0; group < options.diverse_groups; ++group) {
    auto own = candidates_of(open, group, candidates);
    std::stable_sort(own.begin(), own.end(),
                     [&](const Candidate& a, const Candidate& b) { return value(a) > value(b); });
    own.resize(std::min(own.size(), static_cast<size_t>(2 * group_size)));
    count_chosen(own, group_size, chosen);
    all.insert(all.end(), own.begin(), own.end());
  }
  candidates = std::move(all);
}

}  // namespace nmt
