#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "errors/error.h"

namespace nmt {

/// A document that cannot be read as what it should be.
class MarkupError : public Error {
 public:
  using Error::Error;
};

/// What translated text must not be mistaken for.
enum class MarkupSyntax {
  kText,
  kHtml,
  kXml,
  kCdata,
  kMarkdown,
  kMarkdownTable,
  kSubtitles,
  kGettext,  // in the quotes of a .po file
};

/// How an inline element returns to the translation.
enum class Placement {
  kRepeated,  // around each run of its words
  kOnce,      // around one run, as what has an identity must: anything with an id
  kLink,      // the same, and never moved into another link
  kVerbatim,  // as written, in place of its words' translation
  kPoint,     // between two words: without text of its own, or half of an element
};

constexpr size_t kNoElement = std::numeric_limits<size_t>::max();

struct InlineElement {
  Placement placement = Placement::kPoint;
  size_t begin = 0;  // of its text in Segment::text, in bytes; a point's place
  size_t end = 0;
  size_t parent = kNoElement;  // index, lower than its own
  std::string opening;         // of kVerbatim and kPoint: all of it
  std::string closing;
  bool holds_link = false;   // it or what is in it is a link
  bool breaks_line = false;  // a point that separates words without white space
  bool is_tab = false;       // one that also ends a sentence
  bool is_space = false;     // one that breaks no line
  bool is_half = false;      // a point that must keep its place among others: one tag of an element
};

/// What becomes of white space that is more than a space: the translation, which may have its words
/// in another order, gets it at the same share of its length.
enum class BreakKind {
  kNone,
  kLine,  // a line end; left out of a translation with fewer words
  kCue,   // the times between two subtitles, which are never left out
};

/// White space as the document has it where Segment::text has a space.
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
  // Of a message:
  std::string directives;          // with what those of its format begin: "%", "{"
  bool numbers_arguments = false;  // whether they may have numbers, as %2$s
};

/// The text with spaces in place of what comes along as written.
std::string text_to_translate(const Segment& segment);

/// A document as segments to translate and everything around them, which is kept byte for byte.
struct ParsedDocument {
  std::vector<Segment> segments;
  std::vector<std::string> between;      // before each segment, and after the last
  std::vector<ParsedDocument> contents;  // within its sentences (nested_content.h)
  std::string (*finish)(std::string_view rendered) = nullptr;  // if set, makes the document of it
};

}  // namespace nmt
