#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus_check/pair_sample.h"

namespace nmt {

/// The verdict on the languages of a pair's sides.
struct LanguageVerdict {
  bool swapped = false;
  bool foreign = false;  // a side is in another language than it should be
  bool third = false;    // in a third one, as CLD2 confirms, by a wide margin
};

/// The languages of a corpus's two sides, learned from its own lines: a model of character n-grams
/// for each, and one for a third language where lines of one are found. Which side of a pair
/// belongs to which language is learned as well (hard EM), so that even half of the pairs may be
/// swapped. A line does not vouch for itself: its own counts are left out.
class SideLanguages {
 public:
  explicit SideLanguages(const std::vector<SampledPair>& sample);

  /// False if both sides are in one language or there are too few lines; judge() then finds
  /// nothing.
  bool distinct() const { return distinct_; }

  /// Exchanges the expected languages of source and target.
  void exchange();

  /// Not const: temporarily removes the counts of a sampled pair.
  LanguageVerdict judge(int64_t line, std::string_view source, std::string_view target);

 private:
  // Source language, target language, a third one.
  static constexpr size_t kLanguages = 3;
  static constexpr size_t kThird = 2;
  static constexpr size_t kOrders = 4;

  /// For each character, the hash table indices of the n-grams that end there, shortest first.
  using Grams = std::vector<std::array<uint32_t, kOrders>>;

  struct Line {
    Grams grams;
    const std::string* text = nullptr;
    size_t language = 0;
  };

  static Grams grams_of(std::string_view text);
  void count(const Grams& grams, size_t language, float times);
  void move(Line& line, size_t language);
  double score(const Grams& grams, size_t language) const;
  using Scores = std::array<double, kLanguages>;

  Scores scores_of(const Grams& grams) const;
  Scores scores_without(const Line& line);
  bool is_foreign(const Grams& grams, const Scores& scores, size_t own) const;
  bool is_third(const Scores& scores) const;

  void guess_sides(std::vector<Line>& lines);
  void refine_sides(std::vector<Line>& lines);
  void find_third(std::vector<Line>& lines);
  std::vector<size_t> unlikely_lines(const std::vector<Line>& lines);
  static std::vector<size_t> smaller_part(const std::vector<Line>& lines, size_t side);
  bool grow_third(std::vector<Line>& lines, const std::vector<size_t>& seeds, bool known);
  static bool has_known_third(const std::vector<Line>& lines, const std::vector<size_t>& home,
                              size_t side);
  double usual(const Line& line, size_t side) const;
  void measure(std::vector<Line>& lines);

  bool distinct_ = false;
  bool exchanged_ = false;
  bool third_is_known_ = false;
  std::vector<std::array<float, kLanguages>> counts_;
  std::array<double, kLanguages> totals_ = {};
  std::array<double, kLanguages> expected_ = {};                // log-probability per character
  std::unordered_map<int64_t, std::array<size_t, 2>> sampled_;  // languages of source and target
};

}  // namespace nmt
