#include "translate/words.h"

#include <algorithm>
#include <numeric>

#include "text/korean_particles.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {

std::vector<double> word_log_probabilities(const std::vector<float>& token_log_probabilities,
                                           const Words& words) {
  std::vector<double> sums(words.texts.size(), 0.0);
  for (size_t t = 0; t < words.of_token.size(); ++t) {
    sums[words.of_token[t]] += double{token_log_probabilities[t]};
  }
  return sums;
}

std::vector<std::vector<float>> word_attention(const PartAttention& attention,
                                               const Words& target) {
  const auto& [token_rows, source, first_source, num_source] = attention;
  if (token_rows.empty() || num_source == 0) return {};
  const size_t first_word = source.of_token[first_source];
  const size_t num_words = source.of_token[first_source + num_source - 1] + 1 - first_word;
  std::vector<std::vector<float>> rows(target.texts.size(), std::vector<float>(num_words, 0.0F));
  const auto is_mark = [](const Words& words, size_t t) {
    return t < words.is_mark.size() && words.is_mark[t];
  };
  for (size_t t = 0; t < target.of_token.size(); ++t) {
    if (is_mark(target, t)) continue;
    auto& row = rows[target.of_token[t]];
    for (size_t s = 0; s < num_source; ++s) {
      if (is_mark(source, first_source + s)) continue;
      row[source.of_token[first_source + s] - first_word] += token_rows[t][s];
    }
  }
  for (auto& row : rows) {
    const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
    for (float& weight : row) weight = sum > 0.0F ? weight / sum : 0.0F;
  }
  return rows;
}

std::string with_core(const std::string& word, const std::string& core, bool (*is_core)(char32_t)) {
  const auto codes = to_code_points(word);
  const auto first = std::find_if(codes.begin(), codes.end(), is_core);
  if (first == codes.end()) return core + word;
  const auto last = std::find_if(codes.rbegin(), codes.rend(), is_core).base();
  return to_utf8(std::u32string(codes.begin(), first)) + core +
         to_utf8(std::u32string(last, codes.end()));
}

std::string digits_of(std::string_view text) {
  std::string digits;
  for (const char32_t code : to_code_points(text)) {
    const int value = digit_value(code);
    if (value >= 0) digits += static_cast<char>('0' + value);
  }
  return digits;
}

bool is_whole_term(std::string_view text, size_t begin, size_t end) {
  constexpr size_t kLongestCharacter = 4;   // bytes
  constexpr size_t kLongestParticles = 64;  // bytes
  const size_t near = begin - std::min(begin, kLongestCharacter);
  const auto before = to_code_points(text.substr(near, begin - near));
  const auto term = to_code_points(text.substr(begin, end - begin));
  const auto after = to_code_points(text.substr(end, kLongestParticles));
  const bool inner_start = !before.empty() && is_alphanumeric(before.back()) &&
                           is_alphanumeric(term.front()) &&
                           !is_written_without_spaces(term.front());
  const bool inner_end = !after.empty() && is_alphanumeric(after.front()) &&
                         has_case(term.back()) && has_case(after.front());
  if (inner_start || inner_end) return false;
  if (!is_hangul(term.back())) return true;
  const auto last = std::find_if_not(after.begin(), after.end(), is_hangul);
  const auto size = static_cast<size_t>(last - after.begin());
  return are_korean_particles(std::u32string_view(after).substr(0, size), term);
}

size_t strongest(const std::vector<float>& row) {
  return static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

std::vector<WordLink> strongest_links(const std::vector<std::vector<float>>& attention) {
  std::vector<WordLink> links;
  for (size_t target = 0; target < attention.size(); ++target) {
    links.push_back(word_link(strongest(attention[target]), target));
  }
  return links;
}

}  // namespace nmt
