#include "text/contradicting_numbers.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kMaxCompared = 300;  // numbers of a side; comparing them takes quadratic time

struct Numbers {
  std::vector<std::string> all;  // sorted, without leading zeros and thousands separators
  std::vector<int> hours;        // of times such as 7:30
  bool partly_words = false;     // "3백만", "1万"
};

bool separates_thousands(char32_t code) { return is_one_of(code, U".,'\u2019 \u00A0\u202F\u2009"); }

bool separates_minutes(char32_t code) { return code == U':' || code == U'.' || code == U'h'; }

Numbers numbers_of(std::string_view text) {
  const auto codes = to_code_points(text);
  const auto run_length = [&](size_t begin) {
    size_t end = begin;
    while (end < codes.size() && digit_value(codes[end]) >= 0) ++end;
    return end - begin;
  };
  const auto run = [&](size_t& i) {
    std::string digits;
    for (; i < codes.size() && digit_value(codes[i]) >= 0; ++i) {
      digits += static_cast<char>('0' + digit_value(codes[i]));
    }
    return digits;
  };
  Numbers numbers;
  size_t last_end = 0;
  for (size_t i = 0; i < codes.size();) {
    if (digit_value(codes[i]) < 0) {
      ++i;
      continue;
    }
    const size_t begin = i;
    auto digits = run(i);
    const size_t first_group = digits.size();
    while (first_group <= 3 && digits[0] != '0' && i < codes.size() &&
           separates_thousands(codes[i]) && run_length(i + 1) == 3) {
      ++i;
      digits += run(i);
    }
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    const bool minutes = begin > 1 && last_end + 1 == begin &&
                         separates_minutes(codes[begin - 1]) && i - begin == 2 &&
                         digits.size() <= 2;
    if (minutes && !numbers.all.empty() && numbers.all.back().size() <= 2) {
      numbers.hours.push_back(std::atoi(numbers.all.back().c_str()));
    }
    numbers.all.push_back(std::move(digits));
    constexpr std::u32string_view kUnits = U"십백천만억조十百千万萬億亿兆";
    if (i < codes.size() && is_one_of(codes[i], kUnits)) numbers.partly_words = true;
    last_end = i;
  }
  std::sort(numbers.all.begin(), numbers.all.end());
  return numbers;
}

int small_value(const std::string& digits) {
  return digits.size() <= 2 ? std::atoi(digits.c_str()) : -1;
}

/// Whether the numbers may be equal, e.g. 2 and 14 o'clock, or 90 and 1990.
bool are_alike(const std::string& a, const std::string& b) {
  const int x = small_value(a);
  const int y = small_value(b);
  if (x >= 0 && y >= 0 && x <= 24 && y <= 24 && std::abs(x - y) == 12) return true;
  const auto& shorter = a.size() < b.size() ? a : b;
  const auto& longer = a.size() < b.size() ? b : a;
  return shorter.size() == 2 && longer.size() == 4 && longer.compare(2, 2, shorter) == 0;
}

/// The elements of `a` that are not in `b`; both are sorted.
std::vector<std::string> difference(const std::vector<std::string>& a,
                                    const std::vector<std::string>& b) {
  std::vector<std::string> rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

void remove_alike(std::vector<std::string>& a, std::vector<std::string>& b) {
  for (auto number = a.begin(); number != a.end();) {
    const auto other = std::find_if(b.begin(), b.end(),
                                    [&](const auto& text) { return are_alike(*number, text); });
    if (other == b.end()) {
      ++number;
      continue;
    }
    b.erase(other);
    number = a.erase(number);
  }
}

/// "7:30" is "halb 8", "ten past 7" and "20 to 8" as well.
bool are_times(const std::vector<int>& hours, const std::vector<std::string>& others) {
  return std::any_of(hours.begin(), hours.end(), [&](int hour) {
    return std::any_of(others.begin(), others.end(), [&](const auto& text) {
      const int value = small_value(text);
      return value >= 0 && value <= 24 &&
             (value % 12 == hour % 12 || value % 12 == (hour + 1) % 12);
    });
  });
}

}  // namespace

bool numbers_contradict(std::string_view source, std::string_view target, size_t long_digits) {
  auto a = numbers_of(source);
  auto b = numbers_of(target);
  if (a.partly_words || b.partly_words) return false;
  auto only_a = difference(a.all, b.all);
  b.all = difference(b.all, a.all);
  a.all = std::move(only_a);
  if (!a.all.empty() && !b.all.empty()) {
    if (std::max(a.all.size(), b.all.size()) > kMaxCompared) return true;
    remove_alike(a.all, b.all);
  }
  if (a.all.empty() || b.all.empty()) {
    const auto& rest = a.all.empty() ? b.all : a.all;
    return std::any_of(rest.begin(), rest.end(), [&](const std::string& digits) {
      return digits.size() >= long_digits && digits.back() != '0';  // decades are often words
    });
  }
  return !are_times(a.hours, b.all) && !are_times(b.hours, a.all);
}

}  // namespace nmt
