#include "corpus_check/vocabulary_coverage.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "corpus_check/line_features.h"
#include "files/line_reader.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMaxCharacters = 10;

bool has_unknown(const std::vector<int32_t>& tokens) {
  return std::find(tokens.begin(), tokens.end(), kUnknownId) != tokens.end();
}

std::vector<std::string> most_frequent(const std::map<std::string, int64_t>& counts) {
  std::vector<std::pair<std::string, int64_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> characters;
  for (size_t i = 0; i < std::min(sorted.size(), kMaxCharacters); ++i) {
    characters.push_back(sorted[i].first);
  }
  return characters;
}

}  // namespace

VocabularyCoverage measure_coverage(const std::filesystem::path& text, const Tokenizer& tokenizer,
                                    const std::filesystem::path& other,
                                    const std::vector<SpanKind>& placeholders) {
  VocabularyCoverage coverage;
  std::vector<bool> used(static_cast<size_t>(tokenizer.vocabulary_size()));
  std::map<std::string, bool> is_unknown;
  std::map<std::string, int64_t> unknown;
  std::optional<LineReader> others;
  if (!placeholders.empty()) others.emplace(other);
  std::string line;
  std::string other_line;
  for (LineReader reader(text); reader.next(line);) {
    line = replace_invalid_utf8(line);
    coverage.words += features_of(line).words;
    if (others && others->next(other_line)) {
      line = with_placeholders(SentencePair{line, replace_invalid_utf8(other_line)}, placeholders)
                 .source;
    }
    const auto tokens = tokenizer.encode(line);
    coverage.tokens += static_cast<int64_t>(tokens.size());
    coverage.unknown += std::count(tokens.begin(), tokens.end(), kUnknownId);
    for (const int32_t token : tokens) used[static_cast<size_t>(token)] = true;
    if (!has_unknown(tokens)) continue;
    for (const char32_t code : to_code_points(line)) {
      const auto character = to_utf8({&code, 1});
      const auto [known, is_new] = is_unknown.try_emplace(character, false);
      if (is_new) known->second = has_unknown(tokenizer.encode(character));
      if (known->second) ++unknown[character];
    }
  }
  constexpr int64_t kSpecial = 4;  // never in a text
  coverage.unused = std::count(used.begin() + kSpecial, used.end(), false);
  coverage.unknown_characters = most_frequent(unknown);
  return coverage;
}

}  // namespace nmt
