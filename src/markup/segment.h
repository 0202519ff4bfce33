#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.h"

namespace nmt {

/// Thrown for a document that is not valid in its format.
class MarkupError : public Error {
 public:
  using Error::Error;
};

/// The syntax of the surrounding document, for which translated text is escaped.
enum class MarkupSyntax {
  kText,  // lines, whose words have no places
  kHtml,
  kXml,
  kCdata,
  kMarkdown,
  kMarkdownTable,
  kSubtitles,  // and wrapped text: nothing is escaped, and nothing is a placeholder
  kCell,       // of a table: nothing is escaped
  kQuotedCell,
  kGettext,  // in the quotes of a .po file
};

inline bool is_markdown(MarkupSyntax syntax) {
  return syntax == MarkupSyntax::kMarkdown || syntax == MarkupSyntax::kMarkdownTable;
}

/// How an inline element returns to the translation.
enum class Placement {
  kRepeated,  // around each run of its words
  kOnce,      // around one run: must not be repeated, such as anything with an id
  kLink,      // as kOnce, and never within another link
  kVerbatim,  // as written, in place of its words' translation
  kPoint,     // between two words: without text of its own, or half of an element
};

constexpr size_t kNoElement = std::numeric_limits<size_t>::max();

struct InlineElement {
  Placement placement = Placement::kPoint;
  size_t begin = 0;  // of its text in Segment::text, in bytes; a point's position
  size_t end = 0;
  size_t parent = kNoElement;  // index, lower than its own
  std::string opening = {};    // of kVerbatim and kPoint: all of it
  std::string closing = {};
  bool holds_link = false;   // it is or contains a link
  bool breaks_line = false;  // a point that separates words without white space
  bool is_tab = false;       // one that also ends a sentence
  bool is_space = false;     // one that breaks no line
  bool is_half = false;      // a point that must keep its place among others: one tag of an element
  bool joins_previous = false;  // of kVerbatim: no space between it and the word before
  bool joins_next = false;      // likewise, the word after
};

/// White space that is more than a space. The translation, whose words may be in another order,
/// gets it at the same share of its length.
enum class BreakKind {
  kNone,
  kLine,  // a line end; left out of a translation with fewer words
  kCue,   // the times between two subtitles, which are never left out
};

/// The document's white space where Segment::text has a space, or a line end where it has none.
struct SourceSpace {
  size_t at = 0;  // in Segment::text
  std::string bytes;
  BreakKind kind = BreakKind::kNone;
};

/// Text between two block boundaries: one or more sentences.
struct Segment {
  std::string text;  // decoded; white space is single spaces, or tabs where a point ends a sentence
  std::vector<InlineElement> elements;  // parents first, in order of `begin`
  std::vector<SourceSpace> spaces;      // in order
  MarkupSyntax syntax = MarkupSyntax::kText;
  // For messages of a catalog:
  std::string directives;          // first character of its format's directives: "%", "{"
  bool numbers_arguments = false;  // whether directives may be numbered, as %2$s
  size_t bytes_before = 0;         // the first segment: of its message, with the quote
  size_t bytes_after = 0;          // the last segment: the same
};

/// The segment's text with kVerbatim elements replaced by spaces.
std::string text_to_translate(const Segment& segment);

/// A document as segments to translate and everything around them, which is kept byte for byte.
struct ParsedDocument {
  std::vector<Segment> segments;
  std::vector<std::string> between;      // before each segment, and after the last
  std::vector<ParsedDocument> contents;  // nested in its sentences (nested_content.h)
  std::string (*finish)(std::string_view rendered) = nullptr;  // if set, completes the document
  int64_t choices = 0;  // plurals and selections of ICU, which a person must translate
};

}  // namespace nmt
