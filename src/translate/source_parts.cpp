#include "translate/source_parts.h"

#include <algorithm>
#include <string>

#include "text/sentence_marks.h"
#include "unicode/code_points.h"

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

}  // namespace

std::vector<std::vector<int32_t>> split_source(const std::vector<int32_t>& tokens,
                                               int64_t max_length, const Tokenizer& tokenizer) {
  const auto limit = static_cast<size_t>(std::max<int64_t>(max_length, 1));
  if (tokens.size() <= limit) return {tokens};
  std::vector<std::vector<int32_t>> parts;
  for (size_t begin = 0; begin < tokens.size();) {
    const size_t length = part_length(tokens, begin, limit, tokenizer);
    const auto first = tokens.begin() + static_cast<int64_t>(begin);
    parts.emplace_back(first, first + static_cast<int64_t>(length));
    begin += length;
  }
  return parts;
}

}  // namespace nmt
