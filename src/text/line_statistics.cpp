#include "text/line_statistics.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "files/line_reader.h"
#include "text/sentence_splitter.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr int64_t kMaxLines = 200000;
constexpr int64_t kLeastStarts = 20;
constexpr double kMostElsewhere = 0.005;
constexpr double kLeastUnmarked = 0.002;
constexpr size_t kMostStarters = 100;

bool ends_with_letter(const std::string& word) {
  const auto codes = to_code_points(word);
  return is_letter(codes.back()) || is_number(codes.back()) || codes.back() == U',';
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
    const auto words = split_whitespace(line);
    if (words.empty()) return;
    ++lines_;
    several_ += split_text(line).sentences.size() > 1 ? 1 : 0;
    unmarked_ += ends_with_letter(words.back()) ? 1 : 0;
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
    const auto lines = static_cast<double>(lines_);
    if (static_cast<double>(unmarked_) < kLeastUnmarked * lines) return statistics;
    std::vector<std::pair<int64_t, std::string>> starters;
    for (const auto& [word, count] : counts_) {
      const auto all = static_cast<double>(count.first + count.second);
      if (count.first < kLeastStarts || static_cast<double>(count.second) > kMostElsewhere * all)
        continue;
      starters.emplace_back(-count.first, word);
    }
    std::sort(starters.begin(), starters.end());
    if (starters.size() > kMostStarters) starters.resize(kMostStarters);
    for (auto& [count, word] : starters) statistics.sentence_starters.push_back(std::move(word));
    return statistics;
  }

 private:
  int64_t lines_ = 0;
  int64_t several_ = 0;                                        // lines with several sentences
  int64_t unmarked_ = 0;                                       // lines that end with a word
  std::map<std::string, std::pair<int64_t, int64_t>> counts_;  // at line starts, elsewhere
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
