#include "metrics/ngrams.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "errors/error.h"

namespace nmt {
namespace {

/// Compares the n-grams that start at two positions.
struct NgramLess {
  size_t order;
  bool operator()(const uint32_t* a, const uint32_t* b) const {
    return std::lexicographical_compare(a, a + order, b, b + order);
  }
};

std::vector<const uint32_t*> sorted_ngrams(const Symbols& symbols, const NgramLess& less) {
  std::vector<const uint32_t*> starts;
  for (size_t i = 0; i + less.order <= symbols.size(); ++i) starts.push_back(symbols.data() + i);
  std::sort(starts.begin(), starts.end(), less);
  return starts;
}

}  // namespace

NgramCounts& NgramCounts::operator+=(const NgramCounts& other) {
  hypothesis += other.hypothesis;
  reference += other.reference;
  matches += other.matches;
  return *this;
}

NgramCounts count_ngrams(const Symbols& hypothesis, const std::vector<Symbols>& references,
                         size_t order) {
  const NgramLess less{order};
  const auto ours = sorted_ngrams(hypothesis, less);
  // The union of multisets has the maximum count of each n-gram.
  std::vector<const uint32_t*> theirs;
  for (const auto& reference : references) {
    const auto more = sorted_ngrams(reference, less);
    std::vector<const uint32_t*> all;
    std::set_union(theirs.begin(), theirs.end(), more.begin(), more.end(), std::back_inserter(all),
                   less);
    theirs = std::move(all);
  }
  // The clipped matches are the intersection of two multisets.
  std::vector<const uint32_t*> common;
  std::set_intersection(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                        std::back_inserter(common), less);
  return {static_cast<int64_t>(ours.size()), static_cast<int64_t>(theirs.size()),
          static_cast<int64_t>(common.size())};
}

std::vector<Symbols> number_words(const std::vector<std::vector<std::string>>& lines) {
  std::unordered_map<std::string, uint32_t> numbers;
  std::vector<Symbols> numbered;
  for (const auto& words : lines) {
    auto& symbols = numbered.emplace_back();
    for (const auto& word : words) {
      symbols.push_back(numbers.emplace(word, static_cast<uint32_t>(numbers.size())).first->second);
    }
  }
  return numbered;
}

void require_pairs(const std::vector<std::string>& hypotheses, const References& references) {
  if (hypotheses.size() != references.num_lines()) {
    throw Error(std::to_string(hypotheses.size()) + " hypotheses and " +
                std::to_string(references.num_lines()) +
                " references; both need the same number of lines");
  }
  if (hypotheses.empty()) throw Error("nothing to evaluate: both files are empty");
}

}  // namespace nmt
