#include "translate/warnings.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "text/protected_spans.h"
#include "translate/words.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

/// How many times the n-gram at `begin` occurs in a row.
size_t times_in_a_row(const std::vector<std::string>& words, size_t begin, size_t n) {
  size_t times = 1;
  while (begin + (times + 1) * n <= words.size() &&
         std::equal(words.begin() + static_cast<int64_t>(begin),
                    words.begin() + static_cast<int64_t>(begin + n),
                    words.begin() + static_cast<int64_t>(begin + times * n))) {
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
      begin += (times - 1) *
               n;  // skips the repetitions: n-grams that begin within them do not occur more often
    }
  }
  return worst;
}

/// A number of a text and its runs of digits without leading zeros, except 00 as in 15:00:
/// "3,500.05" has 3, 500 and 5.
struct WrittenNumber {
  std::string text;
  std::vector<std::string> runs;
};

std::vector<std::string> runs_of_digits(const std::string& number) {
  std::vector<std::string> runs(1);
  for (const char32_t code : to_code_points(number)) {
    const int value = digit_value(code);
    if (value >= 0) runs.back() += static_cast<char>('0' + value);
    if (value < 0 && !runs.back().empty()) runs.emplace_back();
  }
  const auto says_nothing = [](const auto& run) { return run.empty() || run == "00"; };
  runs.erase(std::remove_if(runs.begin(), runs.end(), says_nothing), runs.end());
  for (auto& run : runs) run.erase(0, run.find_first_not_of('0'));
  return runs;
}

std::vector<WrittenNumber> numbers_of(std::string_view text) {
  std::vector<WrittenNumber> numbers;
  for (const auto& span : find_protected_spans(text)) {
    if (span.kind != SpanKind::kNumber) continue;
    std::string number(text.substr(span.begin, span.end - span.begin));
    auto runs = runs_of_digits(number);
    numbers.push_back({std::move(number), std::move(runs)});
  }
  return numbers;
}

bool has_number(const std::vector<WrittenNumber>& numbers, const WrittenNumber& wanted) {
  const auto has_run = [&](const std::string& run) {
    return std::any_of(numbers.begin(), numbers.end(), [&](const WrittenNumber& number) {
      return std::any_of(number.runs.begin(), number.runs.end(), [&](const std::string& own) {
        return own == run || is_same_hour(own, run);
      });
    });
  };
  const auto has_digits = [&](const WrittenNumber& number) {
    return digits_of(number.text) == digits_of(wanted.text);
  };
  return std::any_of(numbers.begin(), numbers.end(), has_digits) ||
         std::all_of(wanted.runs.begin(), wanted.runs.end(), has_run);
}

/// The numbers of two digits or more that the others lack, with a space before each.
std::string missing_numbers(const std::vector<WrittenNumber>& numbers,
                            const std::vector<WrittenNumber>& others) {
  std::string missing;
  for (const auto& number : numbers) {
    const bool is_short = digits_of(number.text).size() < 2;
    if (!is_short && !has_number(others, number)) missing += " " + number.text;
  }
  return missing;
}

/// Whether a digit precedes a power of ten, as in 3만.
bool has_power_of_ten(std::string_view text) {
  constexpr std::u32string_view kPowers = U"십백천만억조十百千万萬亿億兆";
  const auto codes = to_code_points(text);
  for (size_t i = 1; i < codes.size(); ++i) {
    if (digit_value(codes[i - 1]) >= 0 && kPowers.find(codes[i]) != kPowers.npos) return true;
  }
  return false;
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
  constexpr double kMostDeviations = 4.0;
  const double difference = log_ratio - usual.mean;
  if (std::abs(difference) < kMostDeviations * usual.deviation) return "";
  return fmt::format("ratio: {:.1f} times as {} as usual for this text",
                     std::exp(std::abs(difference)), difference > 0 ? "long" : "short");
}

std::string number_warning(std::string_view source, std::string_view translation) {
  if (has_power_of_ten(source) || has_power_of_ten(translation)) return "";
  const auto given = numbers_of(source);
  const auto written = numbers_of(translation);
  const auto lost = missing_numbers(given, written);
  const auto invented = missing_numbers(written, given);
  if (lost.empty() && invented.empty()) return "";
  std::string warning = "number:";
  if (!lost.empty()) warning += lost + " only in the source";
  if (!lost.empty() && !invented.empty()) warning += ",";
  if (!invented.empty()) warning += invented + " only in the translation";
  return warning;
}

std::string unknown_warning(const SourceMeasures& measures) {
  if (measures.unknown_words.empty()) return "";
  std::string warning = "unknown: characters that the model has never seen, in";
  for (const auto& word : measures.unknown_words) warning += " " + word;
  return warning;
}

std::string script_warning(const SourceMeasures& measures) {
  if (measures.foreign_share < kForeign) return "";
  return fmt::format("script: {:.0f} % of the letters are in scripts unknown to the model{}",
                     100 * measures.foreign_share,
                     measures.foreign_script == Script::kOther
                         ? ""
                         : fmt::format(" ({})", script_name(measures.foreign_script)));
}

}  // namespace nmt
