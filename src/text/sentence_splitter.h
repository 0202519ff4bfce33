#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// A text divided into sentences to translate and the white space between them, which is kept.
struct TextPieces {
  std::vector<std::string> sentences;
  /// White space and line ends before each sentence, and after the last: one more than sentences.
  std::vector<std::string> between;
};

/// Hints for finding sentences like those of a model's training text.
struct SentenceHints {
  /// Words that begin a sentence whether or not a mark precedes them, such as "Ein" where the
  /// training text has captions without a full stop (text/line_statistics.h finds them).
  std::set<std::string, std::less<>> starters = {};
  /// Symbols that separate sentences if they stand between spaces, besides those of split_text(),
  /// but not within quotation marks.
  std::u32string separators = {};
};

/// Symbols that join two words or sentences, as in "Tom & Anna" and "Home / News". A model that has
/// never seen one drops the words next to it, unless it separates sentences.
constexpr std::u32string_view kJoiningSymbols = U"&+/=@→←↔⇒⇔➔➜≠";

/// Splits UTF-8 text at line ends and tabs; after a full stop, question mark, exclamation mark or
/// ellipsis, including closing quotes and brackets, emoji, footnotes such as [2], * and ¹, "_" and
/// dashes that follow directly, and closing guillemets after a space, as in French; and, in a line
/// of ordinary case, before a sentence starter that no mark precedes. Separators between spaces, as
/// in "Home | News", are sentences of their own, but not between numbers or single letters. The
/// marks of Chinese, Japanese, Burmese and Khmer need no white space after them; nor do others
/// between two Korean words, "!" and "?" between letters, and a full stop before a starter. A
/// semicolon is a mark where most letters are Greek. Not split: after abbreviations, initials and
/// ordinal numbers, unless a starter follows these, within brackets that open in mid-sentence, and
/// where lower case follows an ellipsis, a closing quote, a footnote or a dash.
TextPieces split_text(std::string_view text, const SentenceHints& hints = {});

/// Treats each line of a text as one sentence.
TextPieces split_lines(std::string_view text);

/// Treats the whole text as one sentence, without the white space around it.
TextPieces whole_text(std::string_view text);

/// The text with `translations` in place of the sentences.
std::string join_text(const TextPieces& pieces, const std::vector<std::string>& translations);

/// The separator after `translation`, where the source has `between`. A space if the source has
/// none and the translation needs one.
std::string joint(const std::string& translation, const std::string& between);

}  // namespace nmt
