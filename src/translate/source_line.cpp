#include "translate/source_line.h"

#include <algorithm>
#include <utility>

#include "text/sentence_marks.h"
#include "translate/constraint_encoder.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr char kWordStart[] = "\xE2\x96\x81";  // U+2581

bool ends_sentence(const std::string& piece) {
  const auto codes = to_code_points(piece);
  return !codes.empty() && is_sentence_mark(codes.back());
}

/// How many of the tokens from `begin` on the next part has.
size_t part_length(const std::vector<int32_t>& tokens, size_t begin, size_t max_length,
                   const Tokenizer& tokenizer) {
  const size_t rest = tokens.size() - begin;
  size_t last_word = 0;
  for (size_t length = 1; length <= std::min(rest, max_length); ++length) {
    if (ends_sentence(tokenizer.piece(tokens[begin + length - 1]))) return length;
    const bool word_follows =
        length < rest && tokenizer.piece(tokens[begin + length]).rfind(kWordStart, 0) == 0;
    if (word_follows) last_word = length;
  }
  if (rest <= max_length) return rest;
  return last_word > 0 ? last_word : max_length;
}

/// Tokens of one sentence, or of a whole line, as one part or several.
std::vector<std::vector<int32_t>> split_tokens(const std::vector<int32_t>& tokens,
                                               size_t max_length, const Tokenizer& tokenizer) {
  if (tokens.size() <= max_length) return {tokens};
  std::vector<std::vector<int32_t>> parts;
  for (size_t begin = 0; begin < tokens.size();) {
    const size_t length = part_length(tokens, begin, max_length, tokenizer);
    const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(begin);
    parts.emplace_back(first, first + static_cast<std::ptrdiff_t>(length));
    begin += length;
  }
  return parts;
}

class LineBuilder {
 public:
  LineBuilder(const TranslationOptions& options, const Tokenizer& tokenizer)
      : options_(options), tokenizer_(tokenizer) {}

  void add(const std::string& sentence, const std::string& before) {
    const auto tokens = tokenizer_.encode(sentence);
    if (options_.words || options_.copy_unknown) add_words(sentence, tokens);
    const auto limit = options_.split == LineSplit::kNone
                           ? kMaxUnsplitTokens
                           : static_cast<size_t>(std::max<int64_t>(options_.max_source_length, 1));
    auto joined_by = before;
    for (auto& part : split_tokens(tokens, limit, tokenizer_)) {
      line_.parts.push_back({std::move(part), std::exchange(joined_by, " ")});
    }
    line_.tokens.insert(line_.tokens.end(), tokens.begin(), tokens.end());
  }

  SourceLine finish() {
    if (line_.parts.empty()) line_.parts.emplace_back();
    line_.parts.front().before.clear();
    return std::move(line_);
  }

 private:
  void add_words(const std::string& sentence, const std::vector<int32_t>& tokens) {
    auto words = words_of_text(sentence, tokens, tokenizer_);
    for (const size_t word : words.of_token) {
      line_.words.of_token.push_back(line_.words.texts.size() + word);
    }
    std::move(words.texts.begin(), words.texts.end(), std::back_inserter(line_.words.texts));
  }

  const TranslationOptions& options_;
  const Tokenizer& tokenizer_;
  SourceLine line_;
};

}  // namespace

SourceLine make_source_line(const std::string& text, const TranslationOptions& options,
                            const SentenceStarters& starters, const Tokenizer& tokenizer) {
  const auto valid = replace_invalid_utf8(text);
  const bool by_sentences = options.split == LineSplit::kSentences;
  const auto pieces = by_sentences ? split_text(valid, starters) : whole_text(valid);
  LineBuilder line(options, tokenizer);
  for (size_t i = 0; i < pieces.sentences.size(); ++i) {
    line.add(pieces.sentences[i], pieces.between[i]);
  }
  return line.finish();
}

}  // namespace nmt
