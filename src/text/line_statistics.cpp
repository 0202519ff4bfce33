#include "text/line_statistics.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "files/line_reader.h"
#include "text/protected_spans.h"
#include "text/sentence_marks.h"
#include "text/sentence_splitter.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr int64_t kMaxLines = 200000;
constexpr int64_t kMinStarts = 20;
constexpr double kMaxElsewhere = 0.005;
constexpr double kMinUnmarked = 0.002;
constexpr size_t kMaxStarters = 100;
constexpr double kMinFinal = 0.001;
constexpr double kMinClosing = 0.01;
constexpr double kMaxWithoutFinal = 0.01;

bool ends_with_letter(const std::string& word) {
  const auto codes = to_code_points(word);
  return is_letter(codes.back()) || is_number(codes.back()) || codes.back() == U',';
}

/// The last sentence mark after the last letter, number or sign; 0 if there is none.
char32_t final_mark(const std::string& word) {
  const auto codes = to_code_points(word);
  const auto last = std::find_if(codes.rbegin(), codes.rend(), [](char32_t code) {
    return is_sentence_mark(code) || !is_punctuation(code);
  });
  return last != codes.rend() && is_sentence_mark(*last) ? *last : U'\0';
}

/// "However," and "However" are one word.
std::string without_comma(std::string word) {
  while (word.size() > 1 && std::string_view(",;:").find(word.back()) != std::string_view::npos) {
    word.pop_back();
  }
  return word;
}

class LineCounter {
 public:
  void add(const std::string& line) {
    const auto words = split_whitespace(without_invisible_ends(line));
    if (words.empty()) return;
    ++lines_;
    several_ += split_text(line).sentences.size() > 1 ? 1 : 0;
    unmarked_ += ends_with_letter(words.back()) ? 1 : 0;
    ++final_marks_[final_mark(words.back())];
    const char32_t last = to_code_points(words.back()).back();
    if (is_punctuation(last) && !is_sentence_mark(last)) ++closing_marks_[last];
    const char32_t first = to_code_points(words.front()).front();
    capitals_ += is_upper(first) ? 1 : 0;
    lower_ += is_lower(first) ? 1 : 0;
    for (size_t i = 0; i < words.size(); ++i) {
      if (!is_upper(to_code_points(words[i]).front())) continue;
      // After a mark the word may begin a sentence; it does not count as elsewhere.
      if (i > 0 && !ends_with_letter(words[i - 1])) continue;
      auto& [starts, elsewhere] = counts_[without_comma(words[i])];
      ++(i == 0 ? starts : elsewhere);
    }
  }

  LineStatistics result() const {
    LineStatistics statistics;
    statistics.paragraphs = 2 * several_ > lines_;
    statistics.final_marks = final_marks();
    statistics.capitals = 2 * capitals_ > lines_ && 1000 * lower_ <= lines_;
    const auto lines = static_cast<double>(lines_);
    if (static_cast<double>(unmarked_) < kMinUnmarked * lines) return statistics;
    std::vector<std::pair<int64_t, std::string>> starters;
    for (const auto& [word, count] : counts_) {
      const auto all = static_cast<double>(count.first + count.second);
      if (count.first < kMinStarts || static_cast<double>(count.second) > kMaxElsewhere * all)
        continue;
      starters.emplace_back(-count.first, word);
    }
    std::sort(starters.begin(), starters.end());
    if (starters.size() > kMaxStarters) starters.resize(kMaxStarters);
    for (auto& [count, word] : starters) statistics.sentence_starters.push_back(std::move(word));
    return statistics;
  }

 private:
  std::vector<std::string> final_marks() const {
    const auto share = [&](int64_t count) {
      return static_cast<double>(count) / static_cast<double>(lines_);
    };
    std::vector<std::pair<int64_t, char32_t>> frequent;
    for (const auto& [mark, count] : final_marks_) {
      if (mark == U'\0' && share(count) >= kMaxWithoutFinal) return {};
      if (mark != U'\0' && share(count) >= kMinFinal) frequent.emplace_back(-count, mark);
    }
    for (const auto& [mark, count] : closing_marks_) {
      if (share(count) >= kMinClosing) frequent.emplace_back(-count, mark);
    }
    std::sort(frequent.begin(), frequent.end());
    std::vector<std::string> marks;
    for (const auto& [count, mark] : frequent) marks.push_back(to_utf8({&mark, 1}));
    return marks;
  }

  int64_t lines_ = 0;
  int64_t several_ = 0;                                        // lines with several sentences
  int64_t unmarked_ = 0;                                       // lines that end with a word
  std::map<std::string, std::pair<int64_t, int64_t>> counts_;  // at line starts, elsewhere
  std::map<char32_t, int64_t> final_marks_;                    // U'\0': none
  std::map<char32_t, int64_t> closing_marks_;                  // other marks at line ends
  int64_t capitals_ = 0;                                       // lines that begin with one
  int64_t lower_ = 0;
};

}  // namespace

LineStatistics measure_lines(const std::vector<std::string>& texts,
                             const HeldOutSentences& held_out) {
  LineCounter counter;
  int64_t lines = 0;
  for (const auto& text : texts) {
    LineReader reader(text);
    for (std::string line; lines < kMaxLines && reader.next(line); ++lines) {
      if (!held_out.contains(line)) counter.add(replace_invalid_utf8(line));
    }
  }
  return counter.result();
}

}  // namespace nmt
