#include "translate/warnings.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "text/contradicting_numbers.h"

namespace nmt {
namespace {

/// How many times the n-gram at `begin` occurs in a row.
size_t times_in_a_row(const std::vector<std::string>& words, size_t begin, size_t n) {
  size_t times = 1;
  const auto* first = words.data() + begin;
  while (begin + (times + 1) * n <= words.size() &&
         std::equal(first, first + n, first + times * n)) {
    ++times;
  }
  return times;
}

struct Repetition {
  size_t begin = 0;
  size_t n = 0;
  size_t times = 0;
};

/// The n-gram of at most ten words with the most consecutive occurrences; `times` is 0 if none has
/// too many.
Repetition worst_repetition(const std::vector<std::string>& words) {
  constexpr size_t kLongest = 10;
  Repetition worst;
  for (size_t n = 1; n <= kLongest; ++n) {
    const size_t too_often = n == 1 ? 4 : 3;
    for (size_t begin = 0; begin + n * too_often <= words.size(); ++begin) {
      const size_t times = times_in_a_row(words, begin, n);
      if (times >= too_often && times > worst.times) worst = {begin, n, times};
      begin += (times - 1) * n;  // n-grams that begin within the repetitions occur no more often
    }
  }
  return worst;
}

}  // namespace

std::string repetition_warning(const std::vector<std::string>& source_words,
                               const std::vector<std::string>& words) {
  const auto worst = worst_repetition(words);
  if (worst.times == 0 || worst_repetition(source_words).times >= worst.times) return "";
  std::string warning = "repetition:";
  for (size_t i = worst.begin; i < worst.begin + worst.n; ++i) warning += " " + words[i];
  return warning + " (" + std::to_string(worst.times) + " times in a row)";
}

std::string coverage_warning(const std::vector<std::string>& source_words,
                             const std::vector<double>& attention_sums) {
  constexpr double kAlmostNone = 0.05;
  size_t longest = 0;
  size_t last = 0;  // last word of the longest run
  size_t run = 0;
  for (size_t i = 0; i < source_words.size(); ++i) {
    run = attention_sums[i] < kAlmostNone ? run + 1 : 0;
    if (run <= longest) continue;
    longest = run;
    last = i;
  }
  if (longest < 2) return "";
  const size_t first = last + 1 - longest;
  std::string warning = "coverage: almost no attention on";
  for (size_t i = first; i <= last; ++i) warning += " " + source_words[i];
  return warning + " (words " + std::to_string(first) + "-" + std::to_string(last) + ")";
}

std::string length_warning(int64_t num_tokens, int64_t limit) {
  if (num_tokens < limit) return "";
  return "length: cut at the maximum length, " + std::to_string(limit) + " tokens";
}

std::string ratio_warning(double log_ratio, const Calibration::LengthRatio& usual) {
  constexpr double kMaxDeviations = 4.0;
  const double difference = log_ratio - usual.mean;
  if (std::abs(difference) < kMaxDeviations * usual.deviation) return "";
  return fmt::format("ratio: {:.1f} times as {} as usual for this text",
                     std::exp(std::abs(difference)), difference > 0 ? "long" : "short");
}

std::string number_warning(std::string_view source, std::string_view translation) {
  constexpr size_t kLong = 3;  // digits: shorter numbers are often words
  if (!numbers_contradict(source, translation, kLong)) return "";
  return "number: the numbers of the source and of the translation differ";
}

std::string unknown_warning(const SourceMeasures& measures) {
  if (measures.unknown_words.empty()) return "";
  std::string warning = "unknown: characters that the model has never seen, in";
  for (const auto& word : measures.unknown_words) warning += " " + word;
  return warning;
}

std::string script_warning(const SourceMeasures& measures) {
  const auto& [share, script] = measures.foreign;
  if (share < kForeign) return "";
  return fmt::format("script: {:.0f} % of the letters are in scripts unknown to the model{}",
                     100 * share,
                     script == Script::kOther ? "" : fmt::format(" ({})", script_name(script)));
}

}  // namespace nmt
