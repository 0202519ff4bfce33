#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/segment.h"

namespace nmt {

/// Receives a document from a parser, piece by piece without gaps, and builds its segments. Markup
/// that is not well-formed is mended or becomes points; no byte is lost.
class SegmentBuilder {
 public:
  /// The document must outlive the builder.
  SegmentBuilder(std::string_view document, MarkupSyntax syntax)
      : document_(document), syntax_(syntax), between_(1) {}

  /// Of the segments that end from now on.
  void set_syntax(MarkupSyntax syntax) { syntax_ = syntax; }

  // Each takes the next bytes of the document.

  /// Text and the bytes that it is decoded from. What is of a template comes along as written: any
  /// part of plain text, or all of decoded text. Soft hyphens are left out.
  void add_text(std::string_view text, std::string_view bytes);
  void open(const std::string& name, Placement placement, std::string_view bytes);
  /// Ends the innermost open element of that name. One that others are open in ends after them.
  /// `written`: what a translation has in place of the bytes, unless empty.
  void close(const std::string& name, std::string_view bytes, std::string_view written = {});
  /// The innermost open element is a link or holds one.
  void hold_link();
  /// `breaks_line`: it separates words, sentences before a list mark and, repeated, segments.
  void add_point(std::string_view bytes, bool breaks_line = false);
  void add_space_point(std::string_view bytes);
  /// Separates sentences and, where no element is open, segments.
  void add_tab(std::string_view bytes);
  /// A space of the text that the translation is divided at too.
  void add_break(std::string_view bytes, BreakKind kind);
  /// Ends the segment. The bytes may be empty.
  void add_block(std::string_view bytes);

  /// The current segment, or the one that begins next, stays as it is.
  void keep_segment() { kept_ = true; }

  size_t position() const { return position_; }
  ParsedDocument finish();

 private:
  struct OpenElement {
    size_t element = 0;
    std::string name;
    size_t document_begin = 0;
    bool ends_late = false;  // its end tag was read while others were open in it
    size_t end = 0;          // of its text when that was so
    std::string closing;
  };

  bool is_empty() const { return segment_.text.empty() && segment_.elements.empty(); }
  size_t parent() const { return open_.empty() ? kNoElement : open_.back().element; }
  void add_characters(std::string_view bytes);
  void add_template(std::string_view text, std::string_view bytes);
  void add_space(std::string_view bytes);
  void add_element(InlineElement element, std::string_view bytes);
  void add_half(std::string_view bytes);
  void end_top();
  bool is_mark(const OpenElement& open) const;
  void cut_text(size_t begin);
  void end_segment();
  void end_open_elements();
  void mend_parents();
  void cut_spaces_before_points();
  void divide_sentences();
  std::string cut_last_space();
  std::string between(size_t begin, size_t end) const {
    return std::string(document_.substr(begin, end - begin));
  }

  std::string_view document_;
  MarkupSyntax syntax_;
  size_t position_ = 0;       // in the document
  size_t segment_begin_ = 0;  // of the current segment
  size_t last_end_ = 0;       // of the last segment that counts
  bool kept_ = false;
  Segment segment_;
  std::vector<OpenElement> open_;
  std::string* tail_ = nullptr;  // where white space goes that the text has already
  std::vector<Segment> segments_;
  std::vector<std::string> between_;
};

}  // namespace nmt
