#include "translate/alternatives.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nmt {

ConstraintList likeliest_beginnings(Engine& engine, const std::vector<int32_t>& source,
                                    const DecodingConstraints& begun, int64_t count) {
  SearchOptions options;
  options.beam_size = count;
  options.n_best = count;
  options.min_length = static_cast<int64_t>(begun.prefix.size()) + 1;
  options.max_length = 1;  // beyond the prefix
  ConstraintList constraint_list;
  const auto found = engine.search({source}, 1, options, {begun});
  for (const auto& hypothesis : found.front()) {
    constraint_list.push_back({hypothesis.tokens, {}});
  }
  return constraint_list;
}

std::vector<Alternative> different_words(const std::vector<Translation>& translations, size_t place,
                                         size_t count) {
  std::vector<Alternative> found;
  for (const auto& translation : translations) {
    const auto& best = translation.candidates.front();
    if (place >= best.words.size() || best.words[place].empty()) continue;
    found.push_back({best.words[place], best.text, std::exp(best.word_log_probabilities[place])});
  }
  std::stable_sort(found.begin(), found.end(), [](const Alternative& a, const Alternative& b) {
    return a.probability > b.probability;
  });
  std::vector<Alternative> different;
  for (auto& alternative : found) {
    const auto is_same = [&](const Alternative& other) { return other.word == alternative.word; };
    if (different.size() == count) break;
    if (std::any_of(different.begin(), different.end(), is_same)) continue;
    different.push_back(std::move(alternative));
  }
  return different;
}

}  // namespace nmt
