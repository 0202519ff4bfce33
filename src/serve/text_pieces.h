#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// A text as sentences to translate and what stands around them, which is kept as it is.
struct TextPieces {
  std::vector<std::string> sentences;
  /// White space and line ends before each sentence, and after the last: one more than sentences.
  std::vector<std::string> between;
};

/// Models are trained on single sentences: lines are cut behind '.', '!', '?' and '…' where white
/// space and a new sentence follow, and behind '。', '！', '？' anywhere. Not behind what looks
/// like an abbreviation or a number in a list.
TextPieces split_text(std::string_view text);

/// One sentence, whatever it holds, apart from the white space around it.
TextPieces whole_text(std::string_view text);

/// `translations` in the place of the sentences.
std::string join_text(const TextPieces& pieces, const std::vector<std::string>& translations);

/// Characters of valid UTF-8.
size_t count_characters(std::string_view text);

}  // namespace nmt
