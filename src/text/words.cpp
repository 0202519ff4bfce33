#include "text/words.h"

#include <algorithm>

#include "unicode/code_points.h"

namespace nmt {
namespace {

/// A token with kSpaceMark begins a word, unless decoding omits the space (text/word_vocabulary.h).
/// A token that is only the mark, which models may repeat, belongs to the word after it.
bool begins_word(int32_t token, int32_t previous, const Tokenizer& tokenizer) {
  if (tokenizer.piece(token).rfind(kSpaceMark, 0) != 0) return false;
  return tokenizer.piece(previous) != kSpaceMark &&
         tokenizer.decode({previous, token}).find(' ') != std::string::npos;
}

/// For each merged word of all written words, the index of the written word: normalization may
/// split a written word or remove it.
std::vector<size_t> written_words_of_merged(const std::vector<std::string>& written,
                                            const Tokenizer& tokenizer) {
  std::vector<size_t> places;
  for (size_t i = 0; i < written.size(); ++i) {
    const auto alone = merge_pieces(tokenizer.encode(written[i]), tokenizer);
    places.insert(places.end(), alone.texts.size(), i);
  }
  return places;
}

/// The written word of each token of a tokenizer that reads tokens. SentencePiece merges adjacent
/// unknown words into one token, which counts as the first word's.
std::vector<size_t> written_words_of_tokens(const std::vector<std::string>& written,
                                            const Tokenizer& tokenizer) {
  std::vector<size_t> places;
  int32_t last = kPadId;
  for (size_t i = 0; i < written.size(); ++i) {
    for (const int32_t token : tokenizer.encode(written[i])) {
      if (token != kUnknownId || last != kUnknownId) places.push_back(i);
      last = token;
    }
  }
  return places;
}

}  // namespace

std::vector<bool> marks_of_words(const std::vector<int32_t>& tokens,
                                 const std::vector<size_t>& of_token, const Tokenizer& tokenizer) {
  std::vector<bool> is_mark;
  const auto last = std::max_element(of_token.begin(), of_token.end());
  std::vector<bool> has_others(last == of_token.end() ? 0 : *last + 1);  // each word
  for (size_t t = 0; t < tokens.size(); ++t) {
    const auto codes = to_code_points(tokenizer.piece(tokens[t]));
    const auto begin = codes.begin() + (!codes.empty() && codes.front() == U'\u2581' ? 1 : 0);
    is_mark.push_back(std::all_of(begin, codes.end(), is_punctuation));
    if (!is_mark.back()) has_others[of_token[t]] = true;
  }
  for (size_t t = 0; t < tokens.size(); ++t) {
    is_mark[t] = is_mark[t] && has_others[of_token[t]];
  }
  return is_mark;
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
  if (words.texts.size() > 1 && words.texts.back().empty()) {  // trailing marks without a word
    words.texts.pop_back();
    for (auto& word : words.of_token) word = std::min(word, words.texts.size() - 1);
  }
  words.is_mark = marks_of_words(tokens, words.of_token, tokenizer);
  return words;
}

Words words_of_text(const std::string& text, const std::vector<int32_t>& tokens,
                    const Tokenizer& tokenizer) {
  auto written = written_words(text);
  if (tokenizer.reads_tokens()) {
    auto of_token = written_words_of_tokens(written, tokenizer);
    if (of_token.size() == tokens.size()) return {std::move(written), std::move(of_token)};
  }
  auto words = merge_pieces(tokens, tokenizer);
  if (written.size() != words.texts.size()) {
    const auto written_of = written_words_of_merged(written, tokenizer);
    if (written_of.size() != words.texts.size()) return words;
    for (auto& word : words.of_token) word = written_of[word];
    words.is_mark = marks_of_words(tokens, words.of_token, tokenizer);
  }
  words.texts = std::move(written);
  return words;
}

}  // namespace nmt
