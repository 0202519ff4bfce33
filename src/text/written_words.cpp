#include "text/written_words.h"

namespace nmt {

std::vector<Extent> word_extents(std::string_view text) {
  std::vector<Extent> words;
  for (size_t at = 0; at < text.size(); ++at) {
    if (is_between_words(text[at])) continue;
    if (at == 0 || is_between_words(text[at - 1])) words.push_back({at, at});
    words.back().end = at + 1;
  }
  return words;
}

std::vector<std::string> written_words(const std::string& text) {
  std::vector<std::string> words;
  for (const auto& word : word_extents(text)) words.push_back(text.substr(word.begin, word.size()));
  return words;
}

}  // namespace nmt
