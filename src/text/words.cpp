#include "text/words.h"

#include <sstream>

#include "unicode/code_points.h"

namespace nmt {
namespace {

/// kSpaceMark marks the space before a word, which some vocabularies leave out of the text
/// (text/word_vocabulary.h).
bool begins_word(int32_t token, int32_t previous, const Tokenizer& tokenizer) {
  if (tokenizer.piece(token).rfind(kSpaceMark, 0) != 0) return false;
  return tokenizer.piece(previous) == kSpaceMark ||
         tokenizer.decode({previous, token}).find(' ') != std::string::npos;
}

/// Normalization may divide a written word, or leave nothing of it: the written word that each word
/// of all of them comes from.
std::vector<size_t> written_words_of_merged(const std::vector<std::string>& written,
                                            const Tokenizer& tokenizer) {
  std::vector<size_t> places;
  for (size_t i = 0; i < written.size(); ++i) {
    const auto alone = merge_pieces(tokenizer.encode(written[i]), tokenizer);
    places.insert(places.end(), alone.texts.size(), i);
  }
  return places;
}

}  // namespace

std::vector<std::string> written_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Words merge_pieces(const std::vector<int32_t>& tokens, const Tokenizer& tokenizer) {
  Words words;
  std::vector<std::vector<int32_t>> pieces;
  for (const int32_t token : tokens) {
    if (pieces.empty() || begins_word(token, pieces.back().back(), tokenizer)) {
      pieces.emplace_back();
    }
    pieces.back().push_back(token);
    words.of_token.push_back(pieces.size() - 1);
  }
  for (const auto& word : pieces) words.texts.emplace_back(trimmed(tokenizer.decode(word)));
  return words;
}

Words words_of_text(const std::string& text, const std::vector<int32_t>& tokens,
                    const Tokenizer& tokenizer) {
  auto words = merge_pieces(tokens, tokenizer);
  auto written = written_words(text);
  if (written.size() != words.texts.size()) {
    const auto written_of = written_words_of_merged(written, tokenizer);
    if (written_of.size() != words.texts.size()) return words;
    for (auto& word : words.of_token) word = written_of[word];
  }
  words.texts = std::move(written);
  return words;
}

}  // namespace nmt
