#include "translate/source_measures.h"

#include <algorithm>

#include "text/byte_pieces.h"
#include "text/sentence_splitter.h"
#include "text/special_tokens.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

using LetterCounts = std::array<size_t, kNumScripts>;

void count_letters(const std::string& text, LetterCounts& counts) {
  for (const char32_t code : to_code_points(text)) {
    if (is_letter(code)) ++counts[static_cast<size_t>(script_of(code))];
  }
}

}  // namespace

bool is_unknown_piece(int32_t token, const Tokenizer& tokenizer) {
  return token == kUnknownId || byte_of_piece(tokenizer.piece(token)).has_value();
}

bool has_unknown_piece(const std::vector<int32_t>& tokens, const Tokenizer& tokenizer) {
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](int32_t token) { return is_unknown_piece(token, tokenizer); });
}

bool has_unknown_piece(std::string_view text, const Tokenizer& tokenizer) {
  return has_unknown_piece(tokenizer.encode(text), tokenizer);
}

bool is_unknown_character(char32_t code, const Tokenizer& tokenizer) {
  return has_unknown_piece(to_utf8({&code, 1}), tokenizer);
}

std::u32string unknown_joining_symbols(const Tokenizer& tokenizer) {
  std::u32string unknown;
  if (tokenizer.reads_tokens()) return unknown;
  for (const char32_t symbol : kJoiningSymbols) {
    if (is_unknown_character(symbol, tokenizer)) unknown += symbol;
  }
  return unknown;
}

KnownScripts::KnownScripts(const Tokenizer& tokenizer) {
  constexpr size_t kStrays = 200;  // a script with fewer than one in this many letters
  LetterCounts counts{};
  for (int32_t id = kEosId + 1; id < tokenizer.vocabulary_size(); ++id) {
    const auto& piece = tokenizer.piece(id);
    if (!byte_of_piece(piece)) count_letters(piece, counts);
  }
  size_t all = 0;
  for (const size_t count : counts) all += count;
  for (size_t script = 0; script < kNumScripts; ++script) {
    known_[script] = counts[script] > 0 && counts[script] * kStrays >= all;
  }
}

ForeignLetters foreign_letters(const std::vector<std::string>& texts, const KnownScripts& known) {
  LetterCounts letters{};
  for (const auto& text : texts) count_letters(text, letters);
  ForeignLetters found;
  size_t all = 0;
  size_t foreign = 0;
  size_t most = 0;
  for (size_t i = 0; i < kNumScripts; ++i) {
    const auto script = static_cast<Script>(i);
    all += letters[i];
    if (known.has(script)) continue;
    foreign += letters[i];
    if (letters[i] <= most) continue;
    most = letters[i];
    found.script = script;
  }
  if (all > 0) found.share = static_cast<double>(foreign) / static_cast<double>(all);
  return found;
}

SourceMeasures measure_source(const std::vector<int32_t>& tokens, const Words& words,
                              const Tokenizer& tokenizer, const KnownScripts& known) {
  SourceMeasures measures;
  size_t unknown = 0;
  std::vector<bool> has_unknown(words.texts.size(), false);
  std::vector<bool> is_read(words.texts.size(), false);  // false for URLs and their placeholders
  for (size_t t = 0; t < tokens.size(); ++t) {
    const size_t word = words.of_token[t];
    const bool is_unknown = is_unknown_piece(tokens[t], tokenizer);
    if (is_unknown || has_letters(tokenizer.piece(tokens[t]))) is_read[word] = true;
    if (!is_unknown) continue;
    ++unknown;
    has_unknown[word] = true;
  }
  std::vector<std::string> read;
  for (size_t i = 0; i < words.texts.size(); ++i) {
    if (has_unknown[i]) measures.unknown_words.push_back(words.texts[i]);
    if (is_read[i]) read.push_back(words.texts[i]);
  }
  if (!tokens.empty()) {
    measures.unknown_share = static_cast<double>(unknown) / static_cast<double>(tokens.size());
  }
  measures.foreign = foreign_letters(read, known);
  return measures;
}

}  // namespace nmt
