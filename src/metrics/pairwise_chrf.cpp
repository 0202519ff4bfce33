#include "metrics/pairwise_chrf.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "metrics/chrf.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

using Numbers = std::vector<uint32_t>;

std::u32string without_spaces(const std::string& text) {
  auto codes = to_code_points(text);
  codes.erase(std::remove_if(codes.begin(), codes.end(), is_whitespace), codes.end());
  return codes;
}

/// The n-grams of each text as sorted numbers, equal ones for equal n-grams.
std::vector<Numbers> numbered_ngrams(const std::vector<std::u32string>& texts, size_t order) {
  std::unordered_map<std::u32string_view, uint32_t> numbers;
  std::vector<Numbers> all;
  for (const auto& text : texts) {
    auto& ngrams = all.emplace_back();
    for (size_t i = 0; i + order <= text.size(); ++i) {
      const auto ngram = std::u32string_view(text).substr(i, order);
      ngrams.push_back(numbers.emplace(ngram, static_cast<uint32_t>(numbers.size())).first->second);
    }
    std::sort(ngrams.begin(), ngrams.end());
  }
  return all;
}

int64_t num_shared(const Numbers& one, const Numbers& other) {
  int64_t count = 0;
  auto at = one.begin();
  for (const uint32_t number : other) {
    while (at != one.end() && *at < number) ++at;
    if (at == one.end()) break;
    if (*at != number) continue;
    ++count;
    ++at;
  }
  return count;
}

}  // namespace

std::vector<std::vector<double>> pairwise_chrf(const std::vector<std::string>& texts) {
  const auto max_order = static_cast<size_t>(kChrfCharOrder);
  std::vector<std::u32string> codes;
  std::transform(texts.begin(), texts.end(), std::back_inserter(codes), without_spaces);
  std::vector<std::vector<Numbers>> ngrams;  // by order
  for (size_t n = 1; n <= max_order; ++n) ngrams.push_back(numbered_ngrams(codes, n));
  std::vector<std::vector<double>> scores(texts.size(), std::vector<double>(texts.size()));
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) {
      ChrfCounts there;
      ChrfCounts back;
      for (const auto& of_order : ngrams) {
        const auto ours = static_cast<int64_t>(of_order[i].size());
        const auto theirs = static_cast<int64_t>(of_order[j].size());
        const int64_t shared = num_shared(of_order[i], of_order[j]);
        there.push_back({ours, theirs, shared});
        back.push_back({theirs, ours, shared});
      }
      scores[i][j] = chrf_of(there);
      scores[j][i] = chrf_of(back);
    }
  }
  return scores;
}

}  // namespace nmt
