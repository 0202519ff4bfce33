#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "markup/segment.h"

namespace nmt {

/// Receives a document from a parser, piece by piece without gaps, and builds its segments. Markup
/// that is not well-formed is repaired or becomes points; no byte is lost.
class SegmentBuilder {
 public:
  /// The document must outlive the builder.
  SegmentBuilder(std::string_view document, MarkupSyntax syntax)
      : document_(document), syntax_(syntax), between_(1) {}

  /// Sets the syntax of the segments that end from now on.
  void set_syntax(MarkupSyntax syntax) { syntax_ = syntax; }

  // Each of the following consumes the next bytes of the document.

  /// Text as the document writes it. Template placeholders are kept as written, soft hyphens are
  /// left out.
  void add_text(std::string_view bytes);
  /// Text and the bytes that it is decoded from. A placeholder is kept if it is all of the text.
  void add_text(std::string_view text, std::string_view bytes);
  /// Text that is kept as written, such as a placeholder, and its bytes.
  void add_verbatim(std::string_view text, std::string_view bytes);
  void open(const std::string& name, Placement placement, std::string_view bytes);
  /// Ends the innermost open element of that name; if others are open within it, it ends after
  /// them. `written`: unless empty, what the translation has in place of the bytes.
  void close(const std::string& name, std::string_view bytes, std::string_view written = {});
  /// Marks the innermost open element as being or containing a link.
  void hold_link();
  /// `breaks_line`: the point separates words, sentences if a list mark follows and, if repeated,
  /// segments.
  void add_point(std::string_view bytes, bool breaks_line = false);
  void add_space_point(std::string_view bytes);
  /// A tab, which separates sentences and, if no element is open, segments.
  void add_tab(std::string_view bytes);
  /// A space in the text at which the translation is divided too. With `joins`, between characters
  /// that no space separates: the text has none there.
  void add_break(std::string_view bytes, BreakKind kind, bool joins = false);
  /// The end of a line, after which the sentence of the line `before` continues or another text
  /// begins.
  void add_line_end(std::string_view bytes, std::string_view before, std::string_view after);
  /// Ends the segment. The bytes may be empty.
  void add_block(std::string_view bytes);

  /// Leaves the current segment, or the one that begins next, untranslated.
  void keep_segment() { kept_ = true; }

  /// Whether that tag of HTML would be in an element that is kept as written, rather than end it.
  bool keeps_tag(std::string_view tag) const;

  /// Whether an open element is kept as written.
  bool is_verbatim() const;

  size_t position() const { return position_; }
  ParsedDocument finish();

 private:
  struct OpenElement {
    size_t element = 0;
    std::string name;
    size_t document_begin = 0;
    bool ends_late = false;  // its end tag was read while others were open in it
    size_t end = 0;          // of its text at that tag
    std::string closing = {};
  };

  /// Catalog messages have more templates, which their parser finds; subtitles have none.
  bool has_templates() const {
    return syntax_ != MarkupSyntax::kGettext && syntax_ != MarkupSyntax::kSubtitles;
  }
  bool is_empty() const { return segment_.text.empty() && segment_.elements.empty(); }
  size_t parent() const { return open_.empty() ? kNoElement : open_.back().element; }
  void add_characters(std::string_view bytes);
  void add_template(std::string_view text, std::string_view bytes);
  void add_space(std::string_view bytes);
  bool divides_number(std::string_view space, size_t size) const;
  void add_element(InlineElement element, std::string_view bytes);
  void add_half(std::string_view bytes);
  void end_top();
  bool is_mark(const OpenElement& open) const;
  bool holds_only_space(const OpenElement& open) const;
  bool joins_previous(const InlineElement& last) const;
  bool joins_last_point() const;
  void cut_text(size_t begin);
  void end_segment();
  void end_open_elements();
  void mend_parents();
  void cut_spaces_before_points();
  void separate_verbatim_elements();
  void insert_spaces(const std::vector<size_t>& places);
  void divide_sentences();
  std::string cut_last_space();
  std::string between(size_t begin, size_t end) const {
    return std::string(document_.substr(begin, end - begin));
  }

  std::string_view document_;
  MarkupSyntax syntax_;
  size_t position_ = 0;        // in the document
  size_t segment_begin_ = 0;   // of the current segment
  size_t last_end_ = 0;        // of the last segment with text to translate
  size_t verbatim_begin_ = 0;  // in the document, of the last element that is kept as written
  size_t point_end_ = 0;       // in the document, of the last point
  bool kept_ = false;
  Segment segment_;
  std::vector<OpenElement> open_;
  std::string* tail_ = nullptr;  // receives white space that duplicates a space of the text
  std::vector<Segment> segments_;
  std::vector<std::string> between_;
};

}  // namespace nmt
