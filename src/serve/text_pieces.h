#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// A text as sentences to translate and the text around them, which is kept unchanged.
struct TextPieces {
  std::vector<std::string> sentences;
  /// White space and line ends before each sentence, and after the last: one more than sentences.
  std::vector<std::string> between;
};

/// Splits lines after '.', '!', '?' and '…' before white space, and after '。', '！' and '？'
/// anywhere, because models are trained on single sentences. Does not split after abbreviations and
/// list numbers.
TextPieces split_text(std::string_view text);

/// One sentence without the white space around it.
TextPieces whole_text(std::string_view text);

/// The text with `translations` in place of the sentences.
std::string join_text(const TextPieces& pieces, const std::vector<std::string>& translations);

}  // namespace nmt
