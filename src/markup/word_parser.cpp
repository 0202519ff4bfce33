#include "markup/word_parser.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "markup/nested_content.h"
#include "markup/placeholder.h"
#include "markup/segment_builder.h"
#include "markup/segment_renderer.h"
#include "markup/xml_reader.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr std::string_view kRunMark = "\x01";  // before a run that is written here; not in XML
constexpr std::string_view kBeginOfRun = "<w:r>";
constexpr std::string_view kBeginOfText = "<w:t xml:space=\"preserve\">";
constexpr std::string_view kEndOfRun = "</w:t></w:r>";
constexpr size_t kMaxWrappers = 100;                 // around a run; text in more stays unchanged
constexpr size_t kMaxProperties = size_t{64} << 10;  // bytes of a run
constexpr size_t kMaxCopiedProperties = size_t{128} << 20;  // of all runs

/// Removes the runs that got no text, and the marks.
std::string without_empty_runs(std::string_view rendered) {
  std::string xml;
  for (;;) {
    const size_t mark = rendered.find(kRunMark);
    xml += rendered.substr(0, mark);
    if (mark == std::string_view::npos) return xml;
    rendered.remove_prefix(mark + kRunMark.size());
    const size_t text = rendered.find(kBeginOfText);
    if (text == std::string_view::npos || !begins_with(rendered, kBeginOfRun)) continue;
    const size_t end = text + kBeginOfText.size();
    if (begins_with(rendered.substr(end), kEndOfRun))
      rendered.remove_prefix(end + kEndOfRun.size());
  }
}

/// The instruction of a field, given what precedes its content; "" of other wrappers.
std::string field_instruction(std::string_view begin) {
  constexpr std::string_view kAttribute = "w:instr=";  // of w:fldSimple
  constexpr std::string_view kText = "<w:instrText";
  const size_t attribute = begin.find(kAttribute);
  if (attribute != std::string_view::npos) {
    const auto value = begin.substr(attribute + kAttribute.size());
    return std::string(value.substr(1, value.find(value.front(), 1) - 1));
  }
  std::string instruction;  // may be in several runs
  for (size_t at = begin.find(kText); at != std::string_view::npos; at = begin.find(kText, at)) {
    at = begin.find('>', at) + 1;
    instruction += begin.substr(at, begin.find('<', at) - at);
  }
  return instruction;
}

/// The placement of a wrapper or field. Fields that Word recomputes stay unchanged: their values
/// would replace words of the translation.
Placement wrapper_placement(std::string_view begin) {
  static const std::set<std::string> kTranslatedFields = {"formtext", "index", "toc"};
  if (begins_with(begin, "<w:hyperlink")) return Placement::kLink;
  const auto instruction = split_whitespace(field_instruction(begin));
  if (instruction.empty()) return Placement::kOnce;
  const auto field = to_lower(instruction.front());
  if (field == "hyperlink") return Placement::kLink;
  return kTranslatedFields.count(field) > 0 ? Placement::kOnce : Placement::kVerbatim;
}

/// Marks of a complex field: the instruction is between begin and separate, the shown value between
/// separate and end.
enum class FieldMark { kNone, kFieldBegin, kFieldSeparate, kFieldEnd };

/// What a paragraph holds, in order.
struct RunItem {
  enum class Kind { kText, kPoint, kTab, kOpen, kClose };
  Kind kind = Kind::kText;
  std::string properties;  // of kText: its run's <w:rPr>
  std::string content;     // decoded text; for others the bytes between two runs
  bool separates_words = false;
  Placement placement = Placement::kRepeated;  // of kOpen
  FieldMark field = FieldMark::kNone;          // of kPoint
};

/// What SegmentBuilder receives.
struct BuilderCall {
  enum class Kind { kBlock, kText, kPoint, kTab, kOpen, kClose };
  Kind kind = Kind::kBlock;
  std::string bytes;
  std::string text = {};                       // of kText; the name of kOpen and kClose
  Placement placement = Placement::kRepeated;  // of kOpen
  bool separates_words = false;                // of kPoint
};

class WordPart {
 public:
  /// `copied`: counts the bytes of copied properties of all parts.
  WordPart(std::string_view xml, size_t& copied) : xml_(xml), reader_(xml), copied_(copied) {}

  ParsedDocument parse() {
    read_blocks();
    std::string document;
    for (const auto& call : calls_) document += call.bytes;
    SegmentBuilder builder(document, MarkupSyntax::kXml);
    for (const auto& call : calls_) {
      const auto bytes = std::string_view(document).substr(builder.position(), call.bytes.size());
      make(call, bytes, builder);
    }
    auto parsed = builder.finish();
    parsed.finish = without_empty_runs;
    return parsed;
  }

 private:
  using Kind = BuilderCall::Kind;

  static void make(const BuilderCall& call, std::string_view bytes, SegmentBuilder& builder) {
    switch (call.kind) {
      case Kind::kBlock:
        return builder.add_block(bytes);
      case Kind::kText:
        return builder.add_text(call.text, bytes);
      case Kind::kPoint:
        return builder.add_point(bytes, call.separates_words);
      case Kind::kTab:
        return builder.add_tab(bytes);
      case Kind::kOpen:
        return builder.open(call.text, call.placement, bytes);
      case Kind::kClose:
        return builder.close(call.text, bytes);
    }
  }

  /// The document from the first token to the last.
  std::string bytes(size_t first, size_t last) const {
    return std::string(reader_.bytes(reader_.tokens[first], reader_.tokens[last]));
  }

  std::string_view whole(size_t start) const { return reader_.whole(reader_.tokens[start]); }

  size_t last_token(size_t start) const {
    return reader_.elements[reader_.tokens[start].element].end;
  }

  bool is_start(size_t token) const { return reader_.tokens[token].kind == XmlToken::Kind::kStart; }

  /// The name with its prefix: w:p.
  std::string_view name(size_t start) const {
    const auto tag = reader_.bytes(reader_.tokens[start]).substr(1);
    return tag.substr(0, tag.find_first_of(" \t\r\n/>"));
  }

  void read_blocks() {
    size_t done = 0;
    for (size_t i = 0; i < reader_.tokens.size(); ++i) {
      if (!is_start(i) || name(i) != "w:p") continue;
      add_block(std::string(xml_.substr(done, reader_.tokens[i].begin - done)));
      add_paragraph(i);
      i = last_token(i);
      done = reader_.tokens[i].end();
    }
    add_block(std::string(xml_.substr(done)));
  }

  void add_block(std::string bytes) { calls_.push_back({Kind::kBlock, std::move(bytes)}); }

  void add_paragraph(size_t start) {
    items_.clear();
    const size_t first = after_properties(start);
    read_items(first, last_token(start));
    join_fields();
    const bool has_text = std::any_of(items_.begin(), items_.end(), [](const auto& item) {
      return item.kind == RunItem::Kind::kText && has_letters(item.content);
    });
    if (!has_text) return add_block(std::string(whole(start)));
    const auto base = most_frequent_properties();
    add_block(bytes(start, first - 1) + begin_of_run(base));
    for (const auto& item : items_) add_item(item, base);
    add_block(std::string(kEndOfRun) + "</w:p>");
  }

  /// The first token after an element's properties, with which its content begins.
  size_t after_properties(size_t start) const {
    static const std::set<std::string_view> kProperties = {"w:pPr", "w:smartTagPr", "w:customXmlPr",
                                                           "w:fldData"};
    size_t first = start + 1;
    while (reader_.tokens[first].kind == XmlToken::Kind::kText) ++first;
    const bool found = is_start(first) && kProperties.count(name(first)) > 0;
    return found ? last_token(first) + 1 : start + 1;
  }

  /// Adds the content of a paragraph or of a wrapper of runs in it.
  void read_items(size_t begin, size_t end, size_t wrappers = 0) {
    for (size_t i = begin; i < end; ++i) {
      if (!is_start(i)) continue;  // white space between elements
      const auto element = name(i);
      const size_t wrapper = wrappers < kMaxWrappers ? find_wrapper(i) : kNoElement;
      if (element == "w:r") {
        read_run(i);
      } else if (wrapper != kNoElement) {
        read_wrapped(i, wrapper, wrappers + 1);
      } else if (element != "w:proofErr") {
        items_.push_back({RunItem::Kind::kPoint, "", std::string(whole(i))});
      }
      i = last_token(i);
    }
  }

  /// The element that directly contains runs: `start` itself or the content of a content control.
  size_t find_wrapper(size_t start) const {
    static const std::set<std::string_view> kWrappers = {"w:bdo",       "w:customXml", "w:dir",
                                                         "w:fldSimple", "w:hyperlink", "w:ins",
                                                         "w:moveTo",    "w:smartTag"};
    if (kWrappers.count(name(start)) > 0) return start;
    if (name(start) != "w:sdt") return kNoElement;
    for (size_t i = start + 1; i < last_token(start); ++i) {
      if (!is_start(i)) continue;
      if (name(i) == "w:sdtContent") return i;
      i = last_token(i);
    }
    return kNoElement;
  }

  /// Adds the content of `wrapper`, with everything around it from the start tag `start` on.
  void read_wrapped(size_t start, size_t wrapper, size_t wrappers) {
    const size_t first = after_properties(wrapper);
    const size_t closing = last_token(wrapper);
    const auto opening = bytes(start, first - 1);
    items_.push_back({RunItem::Kind::kOpen, "", opening, false, wrapper_placement(opening)});
    read_items(first, closing, wrappers);
    items_.push_back({RunItem::Kind::kClose, "", bytes(closing, last_token(start))});
  }

  /// Counts a copy of a run's properties. A paragraph gets one wherever something is between runs,
  /// so that a small file could fill the memory.
  const std::string& copied(const std::string& properties) {
    copied_ += properties.size();
    if (copied_ <= kMaxCopiedProperties) return properties;
    throw MarkupError(
        "Word: the properties of its runs take more than 128 MiB; divide the document");
  }

  std::string begin_of_run(const std::string& properties) {
    return std::string(kRunMark)
        .append(kBeginOfRun)
        .append(copied(properties))
        .append(kBeginOfText);
  }

  void read_run(size_t start) {
    std::string properties;
    for (size_t i = start + 1; i < last_token(start); ++i) {
      if (!is_start(i)) continue;
      const auto element = name(i);
      if (element == "w:rPr") {
        if (whole(i).size() > kMaxProperties) {
          throw MarkupError(
              "Word: the properties of a run have more than 64 KiB; clear its formatting");
        }
        properties = without_language(whole(i));
      } else if (element == "w:t") {
        add_run_text(properties, text_of(i));
      } else if (element == "w:noBreakHyphen") {
        add_run_text(properties, "\u2011");
      } else if (element != "w:lastRenderedPageBreak" && element != "w:softHyphen") {
        const bool tab = element == "w:tab" || element == "w:ptab" || begins_page_or_column(i);
        const bool space = element == "w:br" || element == "w:cr";
        items_.push_back({tab ? RunItem::Kind::kTab : RunItem::Kind::kPoint, "",
                          "<w:r>" + copied(properties) + std::string(whole(i)) + "</w:r>", space});
        if (element == "w:fldChar") items_.back().field = field_mark(i);
      }
      i = last_token(i);
    }
  }

  /// Whether an element's start tag has the text, as the value of an attribute.
  bool has_in_tag(size_t start, std::string_view text) const {
    const auto tag = reader_.bytes(reader_.tokens[start]);
    return tag.find(text) != std::string_view::npos;
  }

  bool begins_page_or_column(size_t start) const {
    return name(start) == "w:br" && (has_in_tag(start, "page") || has_in_tag(start, "column"));
  }

  FieldMark field_mark(size_t start) const {
    return has_in_tag(start, "begin")      ? FieldMark::kFieldBegin
           : has_in_tag(start, "separate") ? FieldMark::kFieldSeparate
                                           : FieldMark::kFieldEnd;
  }

  /// Makes elements of the fields, such as links, that begin and end in the current paragraph and
  /// in the same wrapper. The marks of others remain points, as do those of fields in the
  /// instruction of another and its own.
  void join_fields() {
    struct OpenField {
      size_t wrapper;
      size_t begin;
      bool is_in_instruction;
      bool holds_others = false;  // in its own
      size_t separate = kNoElement;
    };
    std::vector<OpenField> open;
    std::vector<size_t> wrappers = {kNoElement};
    for (size_t i = 0; i < items_.size(); ++i) {
      const auto& item = items_[i];
      if (item.kind == RunItem::Kind::kOpen) wrappers.push_back(i);
      if (item.kind == RunItem::Kind::kClose) wrappers.pop_back();
      if (item.field == FieldMark::kFieldBegin) {
        const bool holds_this = !open.empty() && open.back().separate == kNoElement;
        if (holds_this) open.back().holds_others = true;
        open.push_back(
            {wrappers.back(), i, holds_this || (!open.empty() && open.back().is_in_instruction)});
      }
      if (open.empty()) continue;
      if (item.field == FieldMark::kFieldSeparate && open.back().separate == kNoElement) {
        open.back().separate = i;
      }
      if (item.field != FieldMark::kFieldEnd) continue;
      const auto field = open.back();
      open.pop_back();
      const bool joins =
          field.wrapper == wrappers.back() && !field.is_in_instruction && !field.holds_others;
      if (joins) join_field(field.begin, field.separate, i);
    }
  }

  void join_field(size_t begin, size_t separate, size_t end) {
    if (separate == kNoElement) return;
    const auto is_point = [](const auto& item) { return item.kind == RunItem::Kind::kPoint; };
    const auto at = [&](size_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
    if (!std::all_of(at(begin), at(separate + 1), is_point)) return;
    auto& first = items_[begin];
    for (size_t i = begin + 1; i <= separate; ++i)
      first.content += std::exchange(items_[i].content, "");
    first.kind = RunItem::Kind::kOpen;
    first.placement = wrapper_placement(first.content);
    items_[end].kind = RunItem::Kind::kClose;
  }

  void add_run_text(const std::string& properties, const std::string& text) {
    const bool joins = !items_.empty() && items_.back().kind == RunItem::Kind::kText &&
                       items_.back().properties == properties;
    if (joins) {
      items_.back().content += text;
    } else {
      items_.push_back({RunItem::Kind::kText, copied(properties), text});
    }
  }

  /// The proofing language: it will not be the translation's, and it divides words.
  static std::string without_language(std::string_view properties) {
    std::string result(properties);
    const auto begin = result.find("<w:lang ");
    if (begin == std::string::npos) return result;
    const auto end = result.find("/>", begin);
    if (end != std::string::npos) result.erase(begin, end + 2 - begin);
    return result == "<w:rPr></w:rPr>" ? "" : result;
  }

  std::string text_of(size_t start) const {
    std::string text;
    for (size_t i = start + 1; i < last_token(start); ++i) {
      const auto& token = reader_.tokens[i];
      if (token.kind == XmlToken::Kind::kText) text += token.text;
      if (token.kind == XmlToken::Kind::kCdata) text += reader_.cdata_content(token);
    }
    return text;
  }

  /// Of a paragraph with text.
  std::string most_frequent_properties() const {
    std::map<std::string, size_t> bytes;
    for (const auto& item : items_) {
      if (item.kind == RunItem::Kind::kText) bytes[item.properties] += item.content.size();
    }
    return std::max_element(bytes.begin(), bytes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

  void add_item(const RunItem& item, const std::string& base) {
    const auto between_runs = [&](const std::string& content) {
      return std::string(kEndOfRun) + content + begin_of_run(base);
    };
    switch (item.kind) {
      case RunItem::Kind::kText: {
        const bool other = item.properties != base;
        const bool raised = item.properties.find("\"superscript\"") != std::string::npos;
        const std::string element = raised ? "sup" : "run";  // "sup": may be a note mark
        const auto begin = std::string(kEndOfRun) + begin_of_run(item.properties);
        if (other) calls_.push_back({Kind::kOpen, begin, element});
        add_text(item.content);
        if (other) calls_.push_back({Kind::kClose, between_runs(""), element});
        break;
      }
      case RunItem::Kind::kPoint:
        if (item.content.empty()) break;  // belongs to the beginning of a field
        calls_.push_back({Kind::kPoint, between_runs(item.content), "", Placement::kRepeated,
                          item.separates_words});
        break;
      case RunItem::Kind::kTab:
        calls_.push_back({Kind::kTab, between_runs(item.content)});
        break;
      case RunItem::Kind::kOpen:
        calls_.push_back({Kind::kOpen, between_runs(item.content), "run", item.placement});
        break;
      case RunItem::Kind::kClose:
        calls_.push_back({Kind::kClose, between_runs(item.content), "run"});
        break;
    }
  }

  /// Split into template placeholders, escaped characters and the text between them.
  void add_text(std::string_view text) {
    while (!text.empty()) {
      const bool escapes = std::string_view("&<>").find(text.front()) != std::string_view::npos;
      const size_t plain = escapes ? 1 : std::min(text.find_first_of("&<>{$%", 1), text.size());
      const size_t length = template_length(text);
      const auto piece = text.substr(0, length > 0 ? length : plain);
      calls_.push_back({Kind::kText, escape_angles(piece), std::string(piece)});
      text.remove_prefix(piece.size());
    }
  }

  std::string_view xml_;
  XmlReader reader_;
  std::vector<RunItem> items_;  // of the current paragraph
  std::vector<BuilderCall> calls_;
  size_t& copied_;
};

}  // namespace

ParsedDocument parse_word_part(std::string_view xml, size_t& copied) {
  return parse_with_contents(xml, {"txbx/txbxcontent", "textbox/txbxcontent"},
                             [&](std::string_view part) { return WordPart(part, copied).parse(); });
}

}  // namespace nmt
