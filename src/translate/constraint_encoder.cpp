#include "translate/constraint_encoder.h"

#include <algorithm>

#include "errors/error.h"
#include "text/byte_pieces.h"
#include "text/model_description.h"
#include "text/sentence_marks.h"
#include "text/special_tokens.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

/// Encodes a text. Throws Error for unknown characters; `what` is the text's name in messages.
std::vector<int32_t> encode_known(const std::string& text, const char* what,
                                  const Tokenizer& target) {
  auto tokens = target.encode(text);
  if (std::find(tokens.begin(), tokens.end(), kUnknownId) == tokens.end()) return tokens;
  throw Error(std::string("the ") + what + " '" + text +
              "' has characters that the model does not know");
}

/// Whether two adjacent characters of this kind are always within one word. Not so in scripts
/// without spaces and in Hangul: Korean particles follow their noun directly.
bool is_of_word(char32_t code) {
  constexpr char32_t kByte = 0xFFFD;  // part of a character spelled in byte pieces
  if (is_written_without_spaces(code) || is_hangul(code)) return false;
  return code == kByte || !(is_whitespace(code) || is_punctuation(code) || is_symbol(code));
}

void require_short(size_t tokens) {
  if (tokens <= kMaxUnsplitTokens) return;
  throw Error("a prefix with its constraints: " + std::to_string(tokens) +
              " tokens, more than the maximum of " + std::to_string(kMaxUnsplitTokens) +
              "; shorten it");
}

}  // namespace

bool closes_its_last_word(std::string_view text) {
  return is_one_of(last_code(text), U" \t\u3000");
}

ConstraintEncoder::ConstraintEncoder(const Tokenizer& target)
    : target_(target),
      has_byte_pieces_(describe_sentencepiece_model(target.bytes()).byte_fallback) {
  constexpr std::u32string_view kWordMarks = U"'-_\u2019\u2010\u2011";  // as in "don't"
  constexpr std::u32string_view kClosingMarks = U"\"')]\u00BB\u2019\u201D\u300D\u300F\uFF09";
  const auto size = static_cast<size_t>(target.vocabulary_size());
  for (auto* flags : {&joints_.continue_word, &joints_.end_in_word, &joints_.end_sentence}) {
    flags->resize(size, false);
  }
  for (int32_t token = kEosId + 1; token < target.vocabulary_size(); ++token) {
    pieces_.emplace_back(text_of(token), token);
    const auto& text = pieces_.back().first;
    longest_ = std::max(longest_, text.size());
    const auto codes = to_code_points(text);
    if (codes.empty()) continue;
    const auto at = static_cast<size_t>(token);
    joints_.continue_word[at] = is_of_word(codes.front()) || is_one_of(codes.front(), kWordMarks);
    joints_.end_in_word[at] = is_of_word(codes.back());
    joints_.end_sentence[at] =
        is_sentence_mark(codes.back()) || is_one_of(codes.back(), kClosingMarks);
  }
  std::sort(pieces_.begin(), pieces_.end());
}

DecodingConstraints ConstraintEncoder::encode(const TranslationConstraints& constraints) const {
  DecodingConstraints encoded;
  encoded.joints = &joints_;
  const auto& prefix = constraints.prefix;
  encoded.prefix = encode_known(prefix, "prefix", target_);
  size_t num_tokens = encoded.prefix.size();
  for (const auto& text : constraints.phrases) {
    auto tokens = encode_known(text, "constraint", target_);
    num_tokens += tokens.size();
    if (!tokens.empty()) encoded.phrases.push_back(std::move(tokens));
  }
  require_short(num_tokens);
  if (encoded.prefix.empty()) return encoded;
  const bool closed = closes_its_last_word(prefix);
  encoded.partial_word = partial_word(closed ? kSpaceMark : take_last_word(encoded.prefix));
  return encoded;
}

DecodingConstraints ConstraintEncoder::encode_whole(const std::string& text) const {
  DecodingConstraints encoded;
  encoded.prefix = encode_known(text, "prefix", target_);
  encoded.ends = true;
  require_short(encoded.prefix.size());
  return encoded;
}

std::string ConstraintEncoder::text_of(int32_t token) const {
  const auto& piece = target_.piece(token);
  const auto byte = has_byte_pieces_ ? byte_of_piece(piece) : std::nullopt;
  return byte ? std::string(1, *byte) : piece;
}

std::string ConstraintEncoder::take_last_word(std::vector<int32_t>& tokens) const {
  std::string word;
  while (!tokens.empty() && !begins_with(word, kSpaceMark)) {
    word.insert(0, text_of(tokens.back()));
    tokens.pop_back();
  }
  return word;
}

/// Dynamic programming from the end: a piece fits if the rest after it can be spelled.
PartialWord ConstraintEncoder::partial_word(std::string_view text) const {
  const auto first_from = [&](std::string_view beginning) {
    return std::lower_bound(
        pieces_.begin(), pieces_.end(), beginning,
        [](const auto& piece, std::string_view value) { return piece.first < value; });
  };
  PartialWord word;
  word.pieces.resize(text.size());
  for (size_t at = text.size(); at-- > 0;) {
    const auto rest = text.substr(at);
    auto& fitting = word.pieces[at];
    for (auto piece = first_from(rest); piece != pieces_.end() && begins_with(piece->first, rest);
         ++piece) {
      fitting.push_back({piece->second, text.size()});
    }
    for (size_t length = 1; length < std::min(rest.size(), longest_ + 1); ++length) {
      if (word.pieces[at + length].empty()) continue;
      const auto beginning = rest.substr(0, length);
      for (auto piece = first_from(beginning); piece != pieces_.end() && piece->first == beginning;
           ++piece) {
        fitting.push_back({piece->second, at + length});
      }
    }
  }
  return word;
}

}  // namespace nmt
