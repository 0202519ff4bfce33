#include "markup/xml_parser.h"

#include "markup/html_elements.h"
#include "markup/html_parser.h"
#include "markup/nested_content.h"
#include "markup/unsupported_format.h"
#include "markup/xml_reader.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

bool is_paragraph(const XmlElement& element) { return element.name == "p" || element.name == "h"; }

/// Whether the word processor recomputes an element of an OpenDocument: the value would replace
/// words of the translation.
bool is_field(const XmlElement& element) {
  constexpr std::string_view kFields =
      " author-initials author-name bibliography-mark bookmark-ref chapter character-count"
      " conditional-text creation-date creation-time creator database-display database-name"
      " database-row-number date description editing-cycles editing-duration expression file-name"
      " hidden-text image-count initial-creator keywords measure modification-date"
      " modification-time note-ref object-count page-continuation page-count page-number"
      " page-variable-get paragraph-count placeholder print-date print-time printed-by"
      " reference-ref sequence sequence-ref sheet-name subject table-count table-formula"
      " template-name time title user-defined user-field-get user-field-input variable-get"
      " variable-input variable-set word-count ";
  return kFields.find(" " + element.name + " ") != std::string_view::npos ||
         begins_with(element.name, "sender-");
}

/// Inline are elements next to text and their content or, in an OpenDocument, everything within a
/// paragraph or heading.
class XmlDocument {
 public:
  XmlDocument(std::string_view xml, bool is_open_document, SegmentBuilder& builder)
      : xml_(xml), is_open_document_(is_open_document), builder_(builder), reader_(xml) {
    auto& elements = reader_.elements;
    for (auto& element : elements) {
      if (element.parent == kNoElement) continue;
      const auto& parent = elements[element.parent];
      const bool in_text = is_open_document ? is_paragraph(parent) : parent.has_text;
      const bool is_html_block = element.is_html && is_block(element_kind(element.name));
      const bool ends_text = is_html_block && !parent.is_kept;
      element.is_inline = (in_text || parent.is_inline) && !ends_text;
      element.is_kept =
          element.is_inline && (parent.is_kept || placement_of(element) == Placement::kVerbatim);
    }
    for (auto element = elements.rbegin(); element != elements.rend(); ++element) {
      if (element->parent == kNoElement) continue;
      elements[element->parent].has_paragraph |= is_paragraph(*element) || element->has_paragraph;
    }
  }

  void add() {
    for (size_t i = 0; i < reader_.tokens.size(); ++i) {
      const auto& token = reader_.tokens[i];
      add_between(token.begin);
      switch (token.kind) {
        case XmlToken::Kind::kStart:
          i = add_start(i);
          break;
        case XmlToken::Kind::kEnd:
          i = add_end(i);
          break;
        case XmlToken::Kind::kText:
          add_text(token);
          break;
        case XmlToken::Kind::kCdata:
          add_cdata(reader_.cdata_content(token), builder_);
          break;
      }
    }
    add_between(xml_.size());
  }

 private:
  void add_between(size_t end) {
    const size_t at = builder_.position();
    if (at < end) builder_.add_point(xml_.substr(at, end - at));
  }

  /// In an OpenDocument: notes and frames, whose text is read separately; deleted text; and other
  /// elements that have paragraphs within a paragraph, such as comments.
  bool is_left_out(const XmlElement& element) const {
    if (!is_open_document_) return false;
    return element.name == "note" || element.name == "frame" || element.name == "tracked-changes" ||
           (element.is_inline && element.has_paragraph);
  }

  /// In an OpenDocument: the base of ruby text. It forms one element with what is around it, so
  /// that the ruby text follows it.
  bool is_ruby_base(const XmlElement& element) const {
    return is_named(element, "ruby-base") && element.parent != kNoElement &&
           reader_.elements[element.parent].name == "ruby";
  }

  /// Whether it is an element of an OpenDocument with that name.
  bool is_named(const XmlElement& element, std::string_view name) const {
    return is_open_document_ && element.name == name;
  }

  Placement placement_of(const XmlElement& element) const {
    const bool computed = is_open_document_ && element.is_inline && is_field(element);
    return computed
               ? Placement::kVerbatim
               : element_placement(element_kind(element.name), element.has_id, element.translates);
  }

  /// Returns the last token that it added.
  size_t add_start(size_t index) {
    const auto& token = reader_.tokens[index];
    const auto& element = reader_.elements[token.element];
    const auto whole = reader_.whole(token);
    const auto kind = element_kind(element.name);
    const bool opaque = is_opaque(kind) || is_left_out(element);
    const auto placement = placement_of(element);
    if (!element.is_inline) {
      const bool unchanged = opaque || placement == Placement::kVerbatim;
      builder_.add_block(unchanged ? whole : reader_.bytes(token));
      return unchanged ? element.end : index;
    }
    if (is_named(element, "tab")) {
      builder_.add_tab(whole);
      return element.end;
    }
    if (opaque || element.end == index + 1) {
      if (is_named(element, "s")) {
        builder_.add_space_point(whole);
      } else {
        const bool is_break = is_named(element, "line-break");
        builder_.add_point(whole, kind == ElementKind::kLineBreak || is_break);
      }
      return element.end;
    }
    if (is_named(element, "ruby")) {
      const auto& base = reader_.tokens[index + 1];
      const bool has_base =
          base.kind == XmlToken::Kind::kStart && is_ruby_base(reader_.elements[base.element]);
      if (!has_base) {
        builder_.add_point(whole);
        return element.end;
      }
      builder_.open(element.name, Placement::kOnce, reader_.bytes(token, base));
      return index + 1;
    }
    builder_.open(element.name, placement, reader_.bytes(token));
    if (kind == ElementKind::kLink) builder_.hold_link();  // also if it stays unchanged
    return index;
  }

  /// Returns the last token that it added.
  size_t add_end(size_t index) {
    const auto& token = reader_.tokens[index];
    const auto& element = reader_.elements[token.element];
    if (element.is_inline && is_ruby_base(element)) {
      const auto& ruby = reader_.elements[element.parent];
      builder_.close(ruby.name, reader_.bytes(token, reader_.tokens[ruby.end]));
      return ruby.end;
    }
    if (element.is_inline) {
      builder_.close(element.name, reader_.bytes(token));
    } else {
      builder_.add_block(reader_.bytes(token));
    }
    return index;
  }

  void add_text(const XmlToken& token) {
    const auto& element = reader_.elements[token.element];
    const bool outside = is_open_document_ && !element.is_inline && !is_paragraph(element);
    const bool line_end = element.keeps_space && !element.is_kept && token.text == "\n";
    if (outside || line_end) {
      builder_.add_block(reader_.bytes(token));
    } else {
      builder_.add_text(token.text, reader_.bytes(token));
    }
  }

  std::string_view xml_;
  bool is_open_document_;
  SegmentBuilder& builder_;
  XmlReader reader_;
};

}  // namespace

void add_cdata(std::string_view content, SegmentBuilder& builder) {
  if (builder.is_verbatim()) {
    builder.add_point(kCdataBegin);
    builder.add_text(content);
    return builder.add_point(kCdataEnd);
  }
  builder.add_block(kCdataBegin);
  if (find_tag(content) < content.size()) {
    builder.set_syntax(MarkupSyntax::kHtml);
    parse_html(content, builder);
  } else {
    builder.set_syntax(MarkupSyntax::kCdata);
    builder.add_text(content);
  }
  builder.add_block(kCdataEnd);
  builder.set_syntax(MarkupSyntax::kXml);
}

void parse_xml(std::string_view xml, SegmentBuilder& builder) {
  const auto reason = unsupported_xml(xml);
  if (!reason.empty()) throw MarkupError("XML: " + reason);
  XmlDocument(xml, /*is_open_document=*/false, builder).add();
}

ParsedDocument parse_open_document(std::string_view xml) {
  return parse_with_contents(xml, {"note/note-body", "frame/text-box"}, [](std::string_view part) {
    SegmentBuilder builder(part, MarkupSyntax::kXml);
    XmlDocument(part, /*is_open_document=*/true, builder).add();
    return builder.finish();
  });
}

}  // namespace nmt
