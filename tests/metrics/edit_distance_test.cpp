#include "metrics/edit_distance.h"

#include <algorithm>
#include <random>

#include "support/catch.h"

namespace nmt {
namespace {

using Words = std::vector<uint32_t>;

Words random_words(std::mt19937& random, size_t count) {
  Words words(count);
  for (auto& word : words) word = static_cast<uint32_t>(random() % 5);
  return words;
}

// Every cell, without a band.
int64_t levenshtein(const Words& a, const Words& b) {
  std::vector<int64_t> above(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<int64_t>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<int64_t> row = {static_cast<int64_t>(i)};
    for (size_t j = 1; j <= b.size(); ++j) {
      const int64_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row.push_back(std::min({substitution, above[j] + 1, row[j - 1] + 1}));
    }
    above = row;
  }
  return above.back();
}

}  // namespace

TEST_CASE("Within the band the distance is Levenshtein's", "[evaluate][edit_distance]") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    const auto hypothesis = random_words(random, random() % 13);
    const auto reference = random_words(random, random() % 13);
    BandedEditDistance distance(reference);
    REQUIRE(distance.set_base(hypothesis) == levenshtein(hypothesis, reference));
  }
}

TEST_CASE("The path has as many edits as the distance says", "[evaluate][edit_distance]") {
  std::mt19937 random(11);
  for (int trial = 0; trial < 100; ++trial) {
    // Long enough, and different enough in length, for the band to matter.
    const auto hypothesis = random_words(random, random() % 150);
    const auto reference = random_words(random, random() % 150);
    BandedEditDistance distance(reference);
    const auto cost = distance.set_base(hypothesis);
    const auto path = distance.base_path();
    const auto number_of = [&](Edit edit) { return std::count(path.begin(), path.end(), edit); };
    const auto length = static_cast<int64_t>(path.size());
    REQUIRE(length - number_of(Edit::kNone) == cost);
    REQUIRE(length - number_of(Edit::kInsert) == static_cast<int64_t>(hypothesis.size()));
    REQUIRE(length - number_of(Edit::kDelete) == static_cast<int64_t>(reference.size()));
  }
}

TEST_CASE("A substitution goes before a deletion, a deletion before an insertion",
          "[evaluate][edit_distance]") {
  BandedEditDistance one_word({1});
  one_word.set_base({2, 3});
  CHECK(one_word.base_path() == std::vector<Edit>{Edit::kDelete, Edit::kSubstitute});
  BandedEditDistance two_words({1, 2});
  two_words.set_base({2, 1});
  CHECK(two_words.base_path() == std::vector<Edit>{Edit::kSubstitute, Edit::kSubstitute});
}

TEST_CASE("A variant costs what it would cost as a base", "[evaluate][edit_distance]") {
  std::mt19937 random(13);
  for (int trial = 0; trial < 100; ++trial) {
    const size_t size = 1 + random() % 70;
    const auto reference = random_words(random, random() % 120);
    const auto hypothesis = random_words(random, size);
    const size_t same_prefix = random() % (size + 1);
    auto variant = hypothesis;
    std::shuffle(variant.begin() + static_cast<std::ptrdiff_t>(same_prefix), variant.end(), random);
    BandedEditDistance distance(reference);
    distance.set_base(hypothesis);
    const auto cost = distance.distance_of_variant(variant, same_prefix);
    REQUIRE(cost == BandedEditDistance(reference).set_base(variant));
  }
}

}  // namespace nmt
