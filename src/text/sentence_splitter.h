#pragma once

#include <set>
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

/// Words that begin a sentence whether or not a mark precedes them, such as "Ein" where the
/// training text has captions without a full stop (text/line_statistics.h finds them).
using SentenceStarters = std::set<std::string, std::less<>>;

/// Splits UTF-8 text at line ends and tabs, after a full stop, question or exclamation mark or
/// ellipsis with the quotes and brackets that close there and emoji and footnotes such as [2] that
/// follow directly, and before a sentence starter that follows no mark. The marks of Chinese,
/// Japanese, Burmese and Khmer need no white space after them, all others do; a semicolon is a
/// mark where most letters are Greek. Not split: after abbreviations, initials and ordinal numbers,
/// within brackets, and where lower case follows an ellipsis or a closing quote.
TextPieces split_text(std::string_view text, const SentenceStarters& starters = {});

/// The lines of a text, each as if it were one sentence.
TextPieces split_lines(std::string_view text);

/// One sentence without the white space around it.
TextPieces whole_text(std::string_view text);

/// The text with `translations` in place of the sentences.
std::string join_text(const TextPieces& pieces, const std::vector<std::string>& translations);

/// What joins two translations that `between` stands between in the source: the source may lack the
/// space that the translation needs.
std::string joint(const std::string& translation, const std::string& between);

}  // namespace nmt
