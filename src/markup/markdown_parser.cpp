#include "markup/markdown_parser.h"

#include <md4c.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "markup/html_parser.h"
#include "markup/markdown_shadow.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

/// An event of md4c. Only text has a position in the document.
struct MarkdownEvent {
  enum class Kind { kEnterBlock, kLeaveBlock, kEnterSpan, kLeaveSpan, kText };
  Kind kind = Kind::kText;
  MD_SPANTYPE span = MD_SPAN_EM;
  MD_TEXTTYPE text = MD_TEXT_NORMAL;
  bool is_cell = false;  // of a block: of a table
  size_t begin = 0;      // of text, in bytes; kNowhere for a line end
  size_t size = 0;
};

constexpr size_t kNowhere = std::numeric_limits<size_t>::max();

/// The events of a document, without what is in code blocks and HTML blocks.
class MarkdownReader {
 public:
  explicit MarkdownReader(std::string_view markdown) : shadow_(markdown) {
    MD_PARSER parser = {};
    parser.flags = MD_DIALECT_GITHUB | MD_FLAG_LATEXMATHSPANS;
    parser.enter_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return reader(self).add_block(MarkdownEvent::Kind::kEnterBlock, type);
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
      return reader(self).add_block(MarkdownEvent::Kind::kLeaveBlock, type);
    };
    parser.enter_span = [](MD_SPANTYPE type, void*, void* self) {
      return reader(self).add({MarkdownEvent::Kind::kEnterSpan, type});
    };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) {
      return reader(self).add({MarkdownEvent::Kind::kLeaveSpan, type});
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return reader(self).add_text(type, text, size);
    };
    const auto& text = shadow_.text();
    if (text.size() > std::numeric_limits<MD_SIZE>::max() ||
        md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, this) != 0) {
      throw MarkupError("Markdown: cannot be parsed; check the document");
    }
  }

  std::vector<MarkdownEvent> events;

 private:
  static MarkdownReader& reader(void* self) { return *static_cast<MarkdownReader*>(self); }

  int add(const MarkdownEvent& event) {
    events.push_back(event);
    return 0;
  }

  int add_block(MarkdownEvent::Kind kind, MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_CODE || type == MD_BLOCK_HTML) {
      opaque_ = kind == MarkdownEvent::Kind::kEnterBlock;
    }
    const bool is_cell = type == MD_BLOCK_TD || type == MD_BLOCK_TH;
    return add({kind, MD_SPAN_EM, MD_TEXT_NORMAL, is_cell});
  }

  int add_text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size) {
    if (opaque_) return 0;
    MarkdownEvent event;
    event.text = type;
    const char* begin = shadow_.text().data();
    const bool within = std::less_equal<>()(begin, text) &&
                        std::less_equal<>()(text + size, begin + shadow_.text().size());
    // Line ends within math, including the last, are part of it.
    if (!within && type == MD_TEXT_LATEXMATH) return 0;
    event.begin = kNowhere;
    if (within) {
      const auto at = static_cast<size_t>(text - begin);
      event.begin = shadow_.original(at);
      event.size = shadow_.original(at + size) - event.begin;
    }
    return add(event);
  }

  MarkdownShadow shadow_;
  bool opaque_ = false;
};

/// An open span, as identified by its first bytes in the document.
struct MarkdownSpan {
  MD_SPANTYPE type = MD_SPAN_EM;
  std::string_view opening;
  size_t begin = 0;  // of what is in it, in the document

  /// Whether it is a link without a text of its own: an address.
  bool is_automatic() const { return type == MD_SPAN_A && opening != "["; }
  bool is_math() const { return type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY; }
};

/// Length of the mark that begins a block in GitHub's dialect: "[^1]:" of a footnote, "[!NOTE]".
size_t block_label_length(std::string_view text) {
  const size_t footnote = footnote_length(text);
  if (footnote > 0 && text.substr(footnote, 1) == ":") return footnote + 1;
  if (text.substr(0, 2) != "[!") return 0;
  size_t end = 2;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return end > 2 && text.substr(end, 1) == "]" ? end + 1 : 0;
}

/// The end of "](destination)", "][label]" or "]" at the beginning; of no more than `bytes`.
size_t link_tail(std::string_view bytes) {
  if (bytes.empty() || bytes[0] != ']') return kNowhere;
  const char next = bytes.size() > 1 ? bytes[1] : '\0';
  if (next == '[') {
    const size_t end = bytes.find(']', 2);
    return end == std::string_view::npos ? 1 : end + 1;
  }
  if (next != '(') return 1;
  int depth = 0;
  char quote = '\0';
  for (size_t at = 1; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (c == '\\') {
      ++at;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '<') {
      quote = '>';
    } else if ((c == '"' || c == '\'') && std::isspace(static_cast<unsigned char>(bytes[at - 1]))) {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && --depth == 0) {
      return at + 1;
    }
  }
  return 1;
}

/// A link label without line ends and the quote marks that follow them.
std::string on_one_line(std::string_view label) {
  std::string line;
  for (size_t at = 0; at < label.size();) {
    if (label[at] == '\n' || label[at] == '\r') {
      line += ' ';
      at = std::min(label.find_first_not_of(" \t\r\n>", at), label.size());
    } else {
      line += label[at++];
    }
  }
  return line;
}

/// Length of the end of a span at the beginning of `bytes`; kNowhere if it is not there.
size_t closing_length(std::string_view bytes, const MarkdownSpan& span) {
  if (span.is_automatic()) {
    if (span.opening.empty()) return 0;
    return !bytes.empty() && bytes[0] == '>' ? 1 : kNowhere;
  }
  if (span.type == MD_SPAN_IMG || span.type == MD_SPAN_A) return link_tail(bytes);
  if (span.is_math() || span.type == MD_SPAN_CODE) {
    const size_t mark = bytes.find_first_not_of(" \t\r\n>");
    if (mark == bytes.npos) return kNowhere;
    if (span.is_math()) {
      const std::string_view end = span.type == MD_SPAN_LATEXMATH ? "$" : "$$";
      return bytes.substr(mark, end.size()) == end ? mark + end.size() : kNowhere;
    }
    return bytes[mark] == '`' ? std::min(bytes.size(), bytes.find_first_not_of('`', mark))
                              : kNowhere;
  }
  const size_t size = span.opening.size();
  const bool is_end = bytes.size() >= size &&
                      bytes.substr(0, size).find_first_not_of(span.opening.front()) == bytes.npos;
  return is_end ? size : kNowhere;
}

/// Length of the beginning of a span at the end of `bytes`; kNowhere if it is not there.
size_t opening_length(std::string_view bytes, MD_SPANTYPE type) {
  const char last = bytes.empty() ? '\0' : bytes.back();
  const auto run = [&](char mark, size_t most) {
    size_t length = 0;
    while (length < std::min(most, bytes.size()) && bytes[bytes.size() - 1 - length] == mark) {
      ++length;
    }
    return length;
  };
  switch (type) {
    case MD_SPAN_EM:
      return last == '*' || last == '_' ? 1 : kNowhere;
    case MD_SPAN_STRONG:
      return (last == '*' || last == '_') && run(last, 2) == 2 ? 2 : kNowhere;
    case MD_SPAN_DEL:
      return last == '~' ? run('~', 2) : kNowhere;
    case MD_SPAN_IMG:
      return bytes.size() >= 2 && bytes.substr(bytes.size() - 2) == "![" ? 2 : kNowhere;
    case MD_SPAN_A:
      return last == '[' || last == '<' ? 1 : 0;
    case MD_SPAN_LATEXMATH:
    case MD_SPAN_LATEXMATH_DISPLAY: {
      const size_t mark = bytes.find_last_not_of(" \t\r\n>");
      const size_t length = type == MD_SPAN_LATEXMATH ? 1 : 2;
      const bool begins =
          mark != std::string_view::npos && bytes[mark] == '$' && mark + 1 >= length;
      return begins ? bytes.size() - (mark + 1 - length) : kNowhere;
    }
    case MD_SPAN_CODE: {
      const size_t mark = bytes.find_last_not_of(" \t\r\n");
      if (mark == std::string_view::npos || bytes[mark] != '`') return kNowhere;
      const size_t before = bytes.find_last_not_of('`', mark);
      return bytes.size() - (before == std::string_view::npos ? 0 : before + 1);
    }
    default:
      return kNowhere;
  }
}

class MarkdownDocument {
 public:
  MarkdownDocument(std::string_view markdown, SegmentBuilder& builder)
      : markdown_(markdown), builder_(builder), origin_(builder.position()) {}

  void add() {
    const MarkdownReader reader(markdown_);
    for (const auto& event : reader.events) {
      const bool placed = event.kind == MarkdownEvent::Kind::kText && event.begin != kNowhere &&
                          event.size > 0 && event.begin >= at();
      if (!placed) {
        pending_.push_back(event);
        continue;
      }
      const bool escaped = add_gap(event.begin);
      add_text(event, escaped);
    }
    add_gap(markdown_.size());
  }

 private:
  using Kind = MarkdownEvent::Kind;

  size_t at() const { return builder_.position() - origin_ + held_; }

  /// Adds the bytes up to `end`, to which the pending events apply. Returns whether they escape the
  /// next byte.
  bool add_gap(size_t end) {
    auto bytes = markdown_.substr(at(), end - at());
    auto events = std::move(pending_);
    pending_.clear();
    auto first = events.begin();
    auto last = events.end();
    while (first != last && first->kind == Kind::kLeaveSpan && close(*first, bytes)) ++first;
    // A backslash escape, after everything else.
    const bool escapes = end < markdown_.size() &&
                         std::ispunct(static_cast<unsigned char>(markdown_[end])) != 0 &&
                         !bytes.empty() && bytes.back() == '\\';
    if (escapes) bytes.remove_suffix(1);
    std::vector<MarkdownSpan> opened;  // the innermost first
    while (first != last && (last - 1)->kind == Kind::kEnterSpan) {
      const size_t length = opening_length(bytes, (last - 1)->span);
      if (length == kNowhere) break;
      opened.push_back({(last - 1)->span, bytes.substr(bytes.size() - length)});
      bytes.remove_suffix(length);
      --last;
    }
    add_middle(bytes, {first, last});
    for (auto span = opened.rbegin(); span != opened.rend(); ++span) open(*span);
    if (escapes) pass("\\");
    return escapes;
  }

  void add_middle(std::string_view bytes, const std::vector<MarkdownEvent>& events) {
    int depth = 0;
    bool balanced = true;
    bool has_span = false;
    bool line_end = false;
    bool hard = false;
    bool block = false;
    for (const auto& event : events) {
      if (event.kind == Kind::kEnterSpan) ++depth;
      has_span = has_span || event.kind == Kind::kEnterSpan;
      block = block || event.kind == Kind::kEnterBlock || event.kind == Kind::kLeaveBlock;
      if (event.kind == Kind::kLeaveSpan) balanced = --depth >= 0 && balanced;
      if (event.kind == Kind::kText && event.text == MD_TEXT_SOFTBR) line_end = true;
      if (event.kind == Kind::kText && event.text == MD_TEXT_BR) hard = true;
      if (event.kind == Kind::kEnterBlock) cell_ = event.is_cell;
    }
    balanced = balanced && depth == 0;
    begins_line_ = block || line_end || hard;
    if (!events.empty() && events.front().kind == Kind::kLeaveSpan) builder_.keep_segment();
    if (block) {
      end_image();
      spans_.clear();
      builder_.add_block(bytes);
      builder_.set_syntax(cell_ ? MarkupSyntax::kMarkdownTable : MarkupSyntax::kMarkdown);
    }
    if (!balanced) builder_.keep_segment();
    if (block || bytes.empty()) return;
    if (in_image()) {
      held_ += bytes.size();
    } else if (hard || has_span || !line_end) {
      builder_.add_point(bytes, hard || line_end);
    } else {
      builder_.add_text(" ", bytes);
    }
  }

  bool in_image() const { return image_depth_ > 0; }

  /// Bytes that stand for nothing.
  void pass(std::string_view bytes) {
    if (in_image()) {
      held_ += bytes.size();
    } else {
      builder_.add_text("", bytes);
    }
  }

  void open(MarkdownSpan span) {
    begins_line_ = false;
    span.begin = at() + span.opening.size();
    spans_.push_back(span);
    if (span.type == MD_SPAN_IMG) ++image_depth_;
    if (in_image()) {
      held_ += span.opening.size();
      return;
    }
    auto placement = Placement::kRepeated;
    if (span.type == MD_SPAN_A) placement = Placement::kLink;
    if (span.type == MD_SPAN_CODE || span.is_math() || span.is_automatic())
      placement = Placement::kVerbatim;
    builder_.open(std::to_string(span.type), placement, span.opening);
    if (span.is_automatic()) builder_.hold_link();
  }

  /// Removes the end of a span from the bytes, if it is there.
  bool close(const MarkdownEvent& event, std::string_view& bytes) {
    if (spans_.empty() || spans_.back().type != event.span) return false;
    const size_t length = closing_length(bytes, spans_.back());
    if (length == kNowhere) return false;
    const auto closing = bytes.substr(0, length);
    const auto written = full_reference(closing, spans_.back());
    bytes.remove_prefix(length);
    spans_.pop_back();
    if (!in_image()) {
      builder_.close(std::to_string(event.span), closing, written);
      return true;
    }
    held_ += length;
    if (event.span == MD_SPAN_IMG && --image_depth_ == 0) end_image();
    return true;
  }

  /// The end of "[text][text]" for one of "[text][]" or "[text]", whose text is the label of a
  /// definition, which stays as it is; "" for any other.
  std::string full_reference(std::string_view closing, const MarkdownSpan& span) const {
    const bool has_no_label = closing == "]" || closing == "][]";
    if (span.type != MD_SPAN_A || span.is_automatic() || !has_no_label) return "";
    return "][" + on_one_line(markdown_.substr(span.begin, at() - span.begin)) + "]";
  }

  /// An image with its content is a point.
  void end_image() {
    image_depth_ = 0;
    const size_t begin = builder_.position() - origin_;
    const auto bytes = markdown_.substr(begin, std::exchange(held_, 0));
    if (!bytes.empty()) builder_.add_point(bytes);
  }

  void add_text(const MarkdownEvent& event, bool escaped) {
    const auto bytes = markdown_.substr(event.begin, event.size);
    if (in_image()) {
      held_ += bytes.size();
    } else if (event.text == MD_TEXT_ENTITY) {
      add_html_text(bytes, builder_);
    } else if (event.text == MD_TEXT_HTML) {
      add_html_tag(bytes, bytes, builder_);
    } else if (event.text == MD_TEXT_NORMAL) {
      add_with_footnotes(bytes, escaped);
    } else {
      builder_.add_text(bytes);
    }
    begins_line_ = false;
  }

  /// `escaped`: the first character is not markup.
  void add_with_footnotes(std::string_view bytes, bool escaped) {
    const size_t label = begins_line_ && !escaped ? block_label_length(bytes) : 0;
    if (label > 0) builder_.add_block(bytes.substr(0, label));
    size_t begin = label;  // of text
    for (size_t at = std::max<size_t>(label, escaped ? 1 : 0);
         (at = bytes.find("[^", at)) != std::string_view::npos;) {
      const size_t length = footnote_length(bytes.substr(at));
      if (length > 0) {
        const auto text = bytes.substr(begin, at - begin);
        builder_.add_text(text);
        builder_.add_point(bytes.substr(at, length));
        begin = at + length;
      }
      at += std::max<size_t>(length, 1);
    }
    builder_.add_text(bytes.substr(begin));
  }

  std::string_view markdown_;
  SegmentBuilder& builder_;
  size_t origin_;  // position of the Markdown in the builder's document
  std::vector<MarkdownEvent> pending_;
  std::vector<MarkdownSpan> spans_;
  size_t image_depth_ = 0;
  size_t held_ = 0;  // bytes of the image so far
  bool cell_ = false;
  bool begins_line_ = true;  // the text that comes next
};

/// Length of a header in YAML or TOML with its last line; 0 if there is none.
size_t header_length(std::string_view markdown) {
  const auto rule = markdown.substr(0, 3);
  if (rule != "---" && rule != "+++") return 0;
  const auto is_rule = [&](size_t at) {
    auto line = markdown.substr(at, markdown.substr(at).find('\n'));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line == rule;
  };
  if (!is_rule(0)) return 0;
  // As in Pandoc, a rule before a blank line divides paragraphs.
  const size_t next = std::min(markdown.find('\n'), markdown.size() - 1) + 1;
  const auto line = markdown.substr(next, markdown.substr(next).find('\n'));
  if (rule == "---" && trimmed(line, " \t\r").empty()) return 0;
  for (size_t at = markdown.find('\n'); at != std::string_view::npos;
       at = markdown.find('\n', at + 1)) {
    if (!is_rule(at + 1)) continue;
    return std::min(markdown.size(),
                    std::min(markdown.find('\n', at + 1), markdown.size() - 1) + 1);
  }
  return 0;
}

}  // namespace

void parse_markdown(std::string_view markdown, SegmentBuilder& builder) {
  const auto header = markdown.substr(0, header_length(markdown));
  builder.add_block(header);
  MarkdownDocument(markdown.substr(header.size()), builder).add();
}

}  // namespace nmt
