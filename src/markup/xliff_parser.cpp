#include "markup/xliff_parser.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "markup/html_parser.h"
#include "markup/placeholder.h"
#include "markup/segment_builder.h"
#include "markup/tag_scanner.h"
#include "markup/xml_parser.h"
#include "markup/xml_reader.h"
#include "translate/languages.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr std::string_view kXmlSpaces = " \t\r\n";

std::string value_of(std::string_view tag, std::string_view name) {
  const auto value = find_attribute(tag, name);
  return value ? std::string(tag.substr(value->begin, value->size())) : "";
}

/// The tag with the attribute set to the value.
std::string with_value(std::string tag, std::string_view name, const std::string& value) {
  if (const auto old = find_attribute(tag, name))
    return tag.replace(old->begin, old->size(), value);
  const size_t end = tag.find_last_not_of("/>" + std::string(kXmlSpaces)) + 1;
  return tag.insert(end, " " + std::string(name) + "=\"" + value + "\"");
}

/// The name of a tag with its prefix, as "x:source".
std::string full_name(const std::string& tag) {
  return tag.substr(1, tag.find_first_of("/> \t\r\n") - 1);
}

/// Whether a text is a plural or selection of ICU, whose cases are for a person to translate.
bool is_choice(std::string_view text) {
  const auto rest = text.substr(std::min(text.find_first_not_of(kXmlSpaces), text.size()));
  const size_t comma = rest.find(',');
  if (!begins_with(rest, "{") || rest.substr(0, comma).find_first_of("<}") != rest.npos)
    return false;
  const auto kind =
      rest.substr(std::min(rest.find_first_not_of(kXmlSpaces, comma + 1), rest.size()));
  return begins_with(kind, "plural") || begins_with(kind, "select");
}

/// A document whose units to translate have their source's content as target.
struct FilledDocument {
  struct Target {
    size_t begin;  // of its content, in `xml`
    size_t first;  // tokens of the original document that its content consists of
    size_t last;
  };
  std::string xml;
  std::vector<Target> targets;
  int64_t choices = 0;  // is_choice(): units that are not filled
};

/// Fills the targets of the units without a translation.
class Filler {
 public:
  Filler(std::string_view xml, const std::string& language)
      : xml_(xml), language_(language), reader_(xml), start_of_(reader_.elements.size()) {
    for (size_t i = 0; i < reader_.tokens.size(); ++i) {
      const auto& token = reader_.tokens[i];
      if (token.kind == XmlToken::Kind::kStart) start_of_[token.element] = i;
    }
  }

  FilledDocument fill() {
    std::vector<Unit> units;
    for (size_t e = 0; e < reader_.elements.size(); ++e) {
      auto& element = reader_.elements[e];
      if (element.parent != kNoElement) {
        const auto& parent = reader_.elements[element.parent];
        const bool overrides = element.translates && value_of(tag(e), "translate") == "yes";
        element.translates = overrides || (element.translates && parent.translates);
      }
      set_language(e);
      const auto& name = element.name;
      // Elements of other namespaces may have these names, too.
      if ((name == "trans-unit" || name == "segment") && prefix(e) == prefix(0)) {
        // Each would copy what is in it, with the units in that.
        if (!units.empty() && is_within(e, units.back().element)) {
          throw MarkupError("XLIFF: a unit within another; correct the document");
        }
        units.push_back({e, {}, {}, {}});
      }
      if (units.empty() || element.parent != units.back().element) continue;
      if (name == "source") units.back().source = e;
      if (name == "seg-source") units.back().divided_source = e;
      if (name == "target") units.back().target = e;
    }
    int64_t choices = 0;
    for (const auto& unit : units) {
      const bool is_divided = unit.divided_source && unit.target;
      if (needs_translation(unit)) {
        if (is_choice(content(*unit.source))) {
          ++choices;
        } else {
          add_target(unit);
        }
      } else if (is_divided && reader_.elements[unit.element].translates) {
        fill_segments(*unit.divided_source, *unit.target);
      }
    }
    auto filled = apply_edits();
    filled.choices = choices;
    return filled;
  }

  const XmlReader& reader() const { return reader_; }

 private:
  struct Unit {
    size_t element;
    std::optional<size_t> source;
    std::optional<size_t> divided_source;  // of XLIFF 1.2: the source divided into sentences
    std::optional<size_t> target;
  };

  const XmlToken& start(size_t element) const { return reader_.tokens[start_of_[element]]; }
  const XmlToken& end(size_t element) const {
    return reader_.tokens[reader_.elements[element].end];
  }
  /// Whether an element is within one that begins before it.
  bool is_within(size_t element, size_t other) const {
    return start_of_[element] < reader_.elements[other].end;
  }
  std::string tag(size_t element) const { return std::string(reader_.bytes(start(element))); }
  /// Of an element's name, with the colon; "" without one.
  std::string prefix(size_t element) const {
    const auto name = full_name(tag(element));
    return name.substr(0, name.find(':') + 1);
  }
  std::string_view content(size_t element) const {
    const size_t begin = start(element).end();
    return xml_.substr(begin, end(element).begin - begin);
  }

  /// Replaces these bytes.
  struct Edit {
    size_t begin;
    size_t end;
    std::string text;
    size_t source = kNoElement;  // of a target: the element whose content it has
    size_t content = 0;          // where that begins in the text
  };

  FilledDocument apply_edits() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    FilledDocument filled;
    size_t at = 0;
    for (const auto& edit : edits_) {
      if (edit.begin < at) continue;  // a file's language in a target, which is not valid
      filled.xml += xml_.substr(at, edit.begin - at);
      if (edit.source != kNoElement) {
        filled.targets.push_back({filled.xml.size() + edit.content, start_of_[edit.source] + 1,
                                  reader_.elements[edit.source].end});
      }
      filled.xml += edit.text;
      at = edit.end;
    }
    filled.xml += xml_.substr(at);
    return filled;
  }

  /// Sets the target language where an element names the source's.
  void set_language(size_t e) {
    const auto& name = reader_.elements[e].name;
    const bool is_version_1 = name == "file" && find_attribute(tag(e), "source-language");
    const bool is_version_2 = name == "xliff" && find_attribute(tag(e), "srcLang");
    if (language_.empty() || !(is_version_1 || is_version_2)) return;
    const std::string_view attribute = is_version_1 ? "target-language" : "trgLang";
    const auto own = value_of(tag(e), attribute);
    if (!own.empty() && !same_language(own, language_)) {
      throw MarkupError("XLIFF: its " + std::string(attribute) + " is " + own +
                        ", but the model translates into " + language_);
    }
    if (!own.empty()) return;
    edits_.push_back({start(e).begin, start(e).end(), with_value(tag(e), attribute, language_)});
  }

  bool needs_translation(const Unit& unit) const {
    if (!unit.source || !reader_.elements[unit.element].translates) return false;
    if (!unit.target) return true;
    const auto state = value_of(tag(*unit.target), "state");
    return !has_text(*unit.target) || state == "new" || state == "needs-translation";
  }

  bool has_text(size_t element) const {
    const auto begin = reader_.tokens.begin();
    return std::any_of(begin + static_cast<std::ptrdiff_t>(start_of_[element]),
                       begin + static_cast<std::ptrdiff_t>(reader_.elements[element].end),
                       [](const XmlToken& token) {
                         return token.kind == XmlToken::Kind::kCdata ||
                                token.text.find_first_not_of(kXmlSpaces) != std::string::npos;
                       });
  }

  /// The sentences of a divided source or target by their identifiers.
  std::map<std::string, size_t> segments_of(size_t element) const {
    std::map<std::string, size_t> segments;
    for (size_t e = element + 1; e < reader_.elements.size() && is_within(e, element); ++e) {
      if (reader_.elements[e].parent != element || value_of(tag(e), "mtype") != "seg") continue;
      segments.emplace(value_of(tag(e), "mid"), e);
    }
    return segments;
  }

  /// Fills the sentences of a target that are not translated yet.
  void fill_segments(size_t source, size_t target) {
    const auto sources = segments_of(source);
    for (const auto& [id, segment] : segments_of(target)) {
      const auto found = sources.find(id);
      if (has_text(segment) || found == sources.end()) continue;
      add_filled(start(segment).begin, end(segment).end(), "", opening_tag(segment), found->second);
    }
  }

  void add_target(const Unit& unit) {
    const size_t source = unit.divided_source.value_or(*unit.source);
    const bool is_version_1 = reader_.elements[unit.element].name == "trans-unit";
    auto opening = unit.target ? opening_tag(*unit.target) : "<" + prefix(*unit.source) + "target>";
    if (is_version_1) {
      opening = with_value(opening, "state", "needs-review-translation");
      opening = with_value(opening, "state-qualifier", "leveraged-mt");
    }
    if (unit.target) {
      return add_filled(start(*unit.target).begin, end(*unit.target).end(), "", opening, source);
    }
    const size_t begin = start(source).begin;  // indented as the source
    const size_t indent = xml_.find_last_not_of(kXmlSpaces, begin - 1) + 1;
    const auto space = std::string(xml_.substr(indent, begin - indent));
    add_filled(end(source).end(), end(source).end(), space, opening, source);
  }

  /// The start tag of an element, which may be empty.
  std::string opening_tag(size_t element) const {
    auto opening = tag(element);
    if (opening[opening.size() - 2] == '/') opening.erase(opening.size() - 2, 1);
    return opening;
  }

  /// Replaces these bytes by an element with the content of `source`, after the space.
  void add_filled(size_t first, size_t last, const std::string& space, const std::string& opening,
                  size_t source) {
    const auto text =
        space + opening + std::string(content(source)) + "</" + full_name(opening) + ">";
    edits_.push_back({first, last, text, source, space.size() + opening.size()});
  }

  std::string_view xml_;
  const std::string& language_;
  XmlReader reader_;
  std::vector<size_t> start_of_;  // each element's token
  std::vector<Edit> edits_;
};

/// Adds a filled document to a builder.
class TargetReader {
 public:
  /// `reader`: of the original document.
  TargetReader(const XmlReader& reader, const FilledDocument& filled, SegmentBuilder& builder)
      : reader_(reader), filled_(filled), builder_(builder) {}

  void add() {
    for (const auto& target : filled_.targets) {
      add_block_until(target.begin);
      const auto& opening = reader_.tokens[target.first - 1];
      shift_ = target.begin - opening.end();
      for (size_t i = target.first; i < target.last; ++i) i = add_inline(i);
    }
    add_block_until(filled_.xml.size());
  }

 private:
  std::string_view bytes(const XmlToken& token) const { return reader_.bytes(token); }

  void add_block_until(size_t end) {
    const size_t at = builder_.position();
    if (at < end) builder_.add_block(std::string_view(filled_.xml).substr(at, end - at));
  }

  /// Adds text with the placeholders of programs, such as %d and {name}.
  void add_text(const XmlToken& token, std::string_view rest) {
    if (token.text != bytes(token)) return builder_.add_text(token.text, rest);  // a reference
    for (size_t at = 0; (at = rest.find_first_of("%{", at)) != rest.npos;) {
      const size_t length = placeholder_length_at(rest, at);
      if (length < 2) {
        ++at;
        continue;
      }
      builder_.add_text(rest.substr(0, at));
      const auto placeholder = rest.substr(at, length);
      builder_.add_verbatim(placeholder, placeholder);
      rest.remove_prefix(at + length);
      at = 0;
    }
    builder_.add_text(rest);
  }

  std::string unescaped(size_t first, size_t last) const {
    std::string text;
    for (size_t i = first; i <= last; ++i) text += reader_.tokens[i].text;
    return text;
  }

  /// The last token of a tag of HTML that is escaped, such as "&lt;b&gt;", and begins with the
  /// token at `index`; `index` if none does.
  size_t escaped_tag_end(size_t index) const {
    if (reader_.tokens[index].text != "<") return index;
    constexpr size_t kMaxTokens = 50;  // a reference is one, and so is the text after it
    for (size_t i = index + 1; i < reader_.tokens.size() && i < index + kMaxTokens; ++i) {
      const auto& token = reader_.tokens[i];
      if (token.kind != XmlToken::Kind::kText || token.text == "<") return index;
      if (token.text != ">") continue;
      const auto tag = unescaped(index, i);
      return is_familiar_tag(tag) && !builder_.keeps_tag(tag) ? i : index;
    }
    return index;
  }

  /// The reference of HTML that is escaped, such as "&amp;nbsp;", and begins with the token at
  /// `index`, unescaped; "" if none does.
  std::string escaped_reference(size_t index) const {
    if (reader_.tokens[index].text != "&" || index + 1 == reader_.tokens.size()) return "";
    const auto& next = reader_.tokens[index + 1];
    if (next.kind != XmlToken::Kind::kText || next.text != bytes(next)) return "";
    const auto text = "&" + next.text;
    return text.substr(0, placeholder_length(text));
  }

  /// Adds it and the text of the token after it.
  void add_reference(size_t index, const std::string& reference) {
    const auto& next = reader_.tokens[index + 1];
    auto written = reader_.bytes(reader_.tokens[index], next);
    written.remove_suffix(next.size - (reference.size() - 1));
    const auto decoded = decode_reference(reference);
    if (to_code_points(decoded).size() == 1 && !is_one_of(first_code(decoded), U"<>&\"")) {
      builder_.add_text(decoded, written);
    } else {
      builder_.add_verbatim(reference, written);
    }
    add_text(next, bytes(next).substr(reference.size() - 1));
  }

  /// Adds what the token begins. Returns the last token that it added.
  size_t add_inline(size_t index) {
    static const std::set<std::string_view> codes = {"bpt", "ept", "ph", "it", "ut"};
    const auto& token = reader_.tokens[index];
    const auto& element = reader_.elements[token.element];
    const size_t at = builder_.position();
    const size_t begin = token.begin + shift_;
    if (at < begin) builder_.add_point(std::string_view(filled_.xml).substr(at, begin - at));
    if (token.kind == XmlToken::Kind::kText) {
      if (const size_t last = escaped_tag_end(index); last > index) {
        const auto tag = reader_.bytes(token, reader_.tokens[last]);
        add_html_tag(unescaped(index, last), tag, builder_);
        return last;
      }
      if (const auto reference = escaped_reference(index); !reference.empty()) {
        add_reference(index, reference);
        return index + 1;
      }
      add_text(token, bytes(token));
    } else if (token.kind == XmlToken::Kind::kCdata) {
      add_cdata(reader_.cdata_content(token), builder_);
    } else if (token.kind == XmlToken::Kind::kEnd) {
      sentences_.count(token.element) > 0 ? builder_.add_block(bytes(token))
                                          : builder_.close(element.name, bytes(token));
    } else if (codes.count(element.name) > 0 || element.end == index + 1) {
      builder_.add_point(reader_.whole(token));
      return element.end;
    } else if (element.name == "mrk" && value_of(bytes(token), "mtype") == "seg") {
      sentences_.insert(token.element);
      builder_.add_block(bytes(token));
    } else {
      const bool is_kept = !element.translates || value_of(bytes(token), "mtype") == "protected";
      builder_.open(element.name, is_kept ? Placement::kVerbatim : Placement::kOnce, bytes(token));
    }
    return index;
  }

  const XmlReader& reader_;
  const FilledDocument& filled_;
  SegmentBuilder& builder_;
  size_t shift_ = 0;            // from a position in the original document to the filled one
  std::set<size_t> sentences_;  // elements that mark those of a divided text
};

}  // namespace

ParsedDocument parse_xliff(std::string_view xml, const std::string& language) {
  Filler filler(xml, language);
  const auto filled = filler.fill();
  SegmentBuilder builder(filled.xml, MarkupSyntax::kXml);
  TargetReader(filler.reader(), filled, builder).add();
  auto parsed = builder.finish();
  parsed.choices = filled.choices;
  return parsed;
}

}  // namespace nmt
