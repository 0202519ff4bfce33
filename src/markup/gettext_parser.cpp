#include "markup/gettext_parser.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "markup/catalog_header.h"
#include "markup/html_parser.h"
#include "markup/placeholder.h"
#include "markup/quoted_text.h"
#include "markup/segment_builder.h"
#include "text/written_words.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

/// The directives of a message.
struct MessageFormat {
  std::string directives;    // their first characters
  bool has_numbers = false;  // as in %2$s
  bool is_known = true;
};

struct FormatMark {
  std::string_view languages;  // each between spaces, without "-format"
  MessageFormat format;
};

/// The format of a flag such as "c-format".
MessageFormat format_of_flag(std::string_view flag) {
  static const FormatMark marks[] = {
      {" c objc php ", {"%", true}},
      {" awk boost d elisp gcc-internal gfc-internal go java-printf javascript librep lua modula2 "
       "object-pascal perl python ruby sh-printf tcl ",
       {"%", false}},
      {" python-brace ", {"{", true}},
      {" c++ rust ", {"{", false}},
      {" lisp scheme ", {"~", false}},
      // Their arguments are numbered or named.
      {" csharp java kde kde-kuit perl-brace qt qt-plural sh smalltalk ycp ", {}}};
  constexpr std::string_view kEnd = "-format";
  const bool denies = begins_with(flag, "no-") || flag.find("possible-") != std::string_view::npos;
  if (!ends_with(flag, kEnd) || denies) return {};
  const auto name = " " + std::string(flag.substr(0, flag.size() - kEnd.size())) + " ";
  for (const auto& mark : marks) {
    if (mark.languages.find(name) != std::string_view::npos) return mark.format;
  }
  return {"", false, false};
}

/// The text of a message as a separate document, for the quotes of its translation.
class Message {
 public:
  Message(std::string_view quoted, MessageFormat format)
      : quoted_(quoted),
        read_(unquote(quoted)),
        format_(std::move(format)),
        builder_(quoted, MarkupSyntax::kGettext) {}

  ParsedDocument parse() {
    builder_.add_block(quoted_.substr(0, read_.begin.front()));
    for (size_t at = 0; at < read_.text.size();) at = add(at);
    builder_.add_block(quoted_.substr(read_.begin.back()));
    auto parsed = builder_.finish();
    const auto arguments = numbered_arguments();
    for (auto& segment : parsed.segments) complete(segment, arguments);
    return parsed;
  }

 private:
  /// The number of arguments of the message, if all of its directives can be numbered; otherwise 0.
  size_t numbered_arguments() const {
    if (!format_.has_numbers) return 0;
    const auto all = next_arguments(read_.text, format_.directives.front());
    const bool numbered =
        all.are_all && std::none_of(all.directives.begin(), all.directives.end(),
                                    [](auto one) { return with_argument(one, 1).empty(); });
    return numbered ? all.directives.size() : 0;
  }

  /// `arguments`: of the message.
  void complete(Segment& segment, size_t arguments) const {
    segment.directives = format_.directives;
    size_t own = 0;
    for (auto& element : segment.elements) {
      if (arguments > 0) {
        own += next_arguments(element.opening, format_.directives.front()).directives.size();
      }
      const bool once = element.placement == Placement::kRepeated &&
                        !placeholders(element.opening, format_.directives).empty();
      if (once) element.placement = Placement::kOnce;
    }
    // Either all directives of the message have numbers or none.
    segment.numbers_arguments = own > 0 && own == arguments;
  }

  std::string_view bytes(size_t begin, size_t end) const {
    return quoted_.substr(read_.begin[begin], read_.begin[end] - read_.begin[begin]);
  }

  /// Returns the position after it.
  size_t add(size_t at) {
    const auto rest = std::string_view(read_.text).substr(at);
    const char c = rest.front();
    if (c == '\n' || begins_with(rest, "\r\n")) return add_line_end(at, c == '\n' ? 1 : 2);
    if (c == '\t') return add_tab(at);
    if (c == '\0' || c == '\r') {
      builder_.add_point(bytes(at, at + 1));
      return at + 1;
    }
    const auto [tag, length_of_tag] = tag_at(rest);
    if (length_of_tag > 0) {
      add_html_tag(tag, bytes(at, at + length_of_tag), builder_);
      return at + length_of_tag;
    }
    if (const size_t length = placeholder_length_at(read_.text, at, format_.directives);
        length > 0) {
      const auto letter = letter_of(rest.substr(0, length));
      if (!letter.empty()) {
        builder_.add_text(letter, bytes(at, at + length));
        return at + length;
      }
      std::string shown(rest.substr(0, length));  // to the model, as one line
      std::replace_if(
          shown.begin(), shown.end(), [](char one) { return one == '\n' || one == '\0'; }, '_');
      builder_.add_verbatim(shown, bytes(at, at + length));
      return at + length;
    }
    const size_t length =
        std::max<size_t>(1, std::min(rest.find_first_of(" \t\r\n%{$&<~@!:-", 0), rest.size()));
    const size_t end = std::min(length, rest.substr(0, length).find('\0'));
    builder_.add_text(rest.substr(0, end), bytes(at, at + end));
    return at + end;
  }

  /// With a shortcut after it, as in "&Open\tCtrl+O", which stays.
  size_t add_tab(size_t at) {
    const auto rest = std::string_view(read_.text).substr(at + 1);
    const auto cell = rest.substr(0, rest.find_first_of("\t\r\n"));
    const bool is_shortcut = cell.find('+') != cell.npos && cell.find(' ') == cell.npos;
    if (is_shortcut) {
      builder_.add_block(bytes(at, at + 1 + cell.size()));
      return at + 1 + cell.size();
    }
    builder_.add_tab(bytes(at, at + 1));
    return at + 1;
  }

  size_t add_line_end(size_t at, size_t size) {
    const auto before = std::string_view(read_.text).substr(line_, at - line_);
    line_ = at + size;
    const auto after = std::string_view(read_.text).substr(line_);
    builder_.add_line_end(bytes(at, line_), before, after.substr(0, after.find('\n')));
    return line_;
  }

  /// The letter or white space that a character reference stands for; "" for other text.
  static std::string letter_of(std::string_view placeholder) {
    if (!begins_with(placeholder, "&")) return "";
    const auto text = decode_reference(placeholder);
    const auto codes = to_code_points(text);
    return codes.size() == 1 && (is_letter(codes[0]) || is_whitespace(codes[0])) ? text : "";
  }

  /// The tag that begins the text, which may be escaped ("&lt;b&gt;"), and its length there.
  std::pair<std::string, size_t> tag_at(std::string_view text) const {
    if (!begins_with(text, "&lt;")) {
      const size_t length = tag_length(text);
      return {std::string(text.substr(0, length)), length};
    }
    constexpr std::string_view kEnd = "&gt;";
    const size_t end = text.substr(0, kMaxTag).find(kEnd);
    if (end == std::string_view::npos) return {"", 0};
    std::string tag(text.substr(0, end + kEnd.size()));
    replace_all(tag, "&lt;", "<");
    replace_all(tag, "&gt;", ">");
    replace_all(tag, "&quot;", "\"");
    const bool is_tag = is_familiar_tag(tag) && !builder_.keeps_tag(tag);
    return is_tag ? std::pair(tag, end + kEnd.size()) : std::pair(std::string(), size_t{0});
  }

  std::string_view quoted_;
  QuotedText read_;
  MessageFormat format_;
  SegmentBuilder builder_;
  size_t line_ = 0;  // where the current one begins
};

class Catalog {
 public:
  Catalog(std::string_view po, const std::string& language)
      : po_(po),
        language_(language),
        line_end_(po.find("\r\n") == po.npos ? "\n" : "\r\n"),
        between_(1) {}

  ParsedDocument parse() {
    size_t end = 0;
    for (size_t at = 0; (at = po_.find_first_not_of(" \t\n\v\f\r", end)) != po_.npos;) {
      if (po_[at] == '#') {
        end = std::min(po_.find('\n', at), po_.size() - 1) + 1;  // with the line end
        add_comment({at, end});
      } else if (po_[at] == '"') {
        end = end_of_string(at);
        add_string({at, end});
      } else {
        end = std::min(po_.find_first_of(" \t\r\n\"#", at), po_.size());
        add_keyword({at, end});
      }
    }
    end_entry();
    // Otherwise one file would mix translations into two languages.
    if (has_translations_ && !header_.conflict.empty()) refuse(header_begin_, header_.conflict);
    copy_until(po_.size());
    return {std::move(segments_), std::move(between_), {}};
  }

 private:
  struct Entry {
    std::vector<Extent> flags;     // lines that begin with "#,"
    std::vector<Extent> previous;  // "#|": the message of a fuzzy translation
    Extent context;                // each from the first quote to the last; empty: none
    Extent id;
    Extent plural;
    std::vector<Extent> translations;  // one, or plural forms in order
  };

  std::string_view text(const Extent& extent) const {
    return po_.substr(extent.begin, extent.size());
  }
  [[noreturn]] void refuse(size_t at, const std::string& problem) const {
    const auto before = po_.substr(0, at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    throw MarkupError("po: line " + std::to_string(line) + ": " + problem);
  }

  size_t end_of_string(size_t begin) const {
    for (size_t at = begin + 1; at < po_.size() && po_[at] != '\n'; ++at) {
      if (po_[at] == '\\')
        ++at;
      else if (po_[at] == '"')
        return at + 1;
    }
    refuse(begin, "a string is not closed; add the quote");
  }

  void add_comment(const Extent& bytes) {
    if (!entry_.translations.empty()) end_entry();
    if (entry_.context.size() + entry_.id.size() > 0) {
      refuse(bytes.begin, "a comment within a message; move it before");
    }
    const auto kind = text(bytes).substr(0, 2);
    if (kind == "#,") entry_.flags.push_back(bytes);
    if (kind == "#|") entry_.previous.push_back(bytes);
    if (kind == "#~") entry_ = {};  // an obsolete message: its flags do not count
  }

  /// A keyword, which may have a number in brackets.
  void add_keyword(const Extent& bytes) {
    const auto word = text(bytes);
    if (value_ != nullptr && value_->size() == 0) refuse(bytes.begin, "a string is missing");
    if ((word == "msgctxt" || word == "msgid") && entry_.id.size() > 0) end_entry();
    const bool translates = word == "msgstr" || word.substr(0, 7) == "msgstr[";
    if (word == "msgctxt") {
      value_ = &entry_.context;
    } else if (word == "msgid") {
      value_ = &entry_.id;
    } else if (word == "msgid_plural" && entry_.id.size() > 0) {
      value_ = &entry_.plural;
    } else if (translates && entry_.id.size() > 0) {
      const auto form = "[" + std::to_string(entry_.translations.size()) + "]";
      const auto due = "msgstr" + (entry_.plural.size() > 0 ? form : "");
      if (word != due)
        refuse(bytes.begin, std::string(word) + " instead of " + due + "; correct it");
      entry_.translations.emplace_back();
      value_ = &entry_.translations.back();
    } else {
      refuse(bytes.begin, "neither a comment nor part of a message; check the format");
    }
    if (value_->size() > 0) refuse(bytes.begin, "a message without msgstr; add it");
  }

  /// A string with its quotes.
  void add_string(const Extent& bytes) {
    if (value_ == nullptr) refuse(bytes.begin, "a string without a keyword; add it");
    if (value_->size() == 0) value_->begin = bytes.begin;
    value_->end = bytes.end;
  }

  bool is_header() const { return entry_.context.size() == 0 && unquoted(entry_.id).empty(); }
  std::string unquoted(const Extent& extent) const {
    return extent.size() == 0 ? "" : unquote(text(extent)).text;
  }

  void end_entry() {
    const auto& all = entry_.translations;
    const bool complete = !all.empty() && all.back().size() > 0;
    if (entry_.context.size() + entry_.id.size() > 0 && !complete) {
      refuse(std::max(entry_.context.begin, entry_.id.begin), "a message without msgstr; add it");
    }
    const bool fuzzy = std::any_of(entry_.flags.begin(), entry_.flags.end(), [&](const auto& line) {
      return without_fuzzy(text(line)) != text(line);
    });
    const bool translates = complete && (is_header() || format().is_known);
    if (translates && fuzzy) drop_fuzzy();
    if (translates && is_header()) complete_header_entry();
    const bool keeps = !fuzzy && !is_header();
    for (const auto& one : entry_.translations) {
      has_translations_ = has_translations_ || (keeps && !unquoted(one).empty());
    }
    if (translates && !is_header()) translate_entry(fuzzy);
    entry_ = {};
    value_ = nullptr;
  }

  /// `fuzzy`: existing translations are replaced.
  void translate_entry(bool fuzzy) {
    const auto& all = entry_.translations;
    const bool has_plural = entry_.plural.size() > 0;
    const size_t forms = has_plural && header_.forms > 0 ? header_.forms : all.size();
    for (size_t i = forms; i < all.size(); ++i) {
      if (fuzzy || unquoted(all[i]).empty() || !header_.conflict.empty()) continue;
      refuse(all[i].begin, "a translation beyond nplurals=" + std::to_string(forms) +
                               "; correct Language and Plural-Forms, or remove it");
    }
    for (size_t i = 0; i < std::min(forms, all.size()); ++i) {
      if (fuzzy || unquoted(all[i]).empty()) {
        copy_until(all[i].begin);
        add_message(text(source_of_form(i, forms)));
      } else {
        copy_until(all[i].end);
      }
      copied_ = all[i].end;
    }
    for (size_t i = all.size(); i < forms; ++i) {
      between_.back() += line_end_ + "msgstr[" + std::to_string(i) + "] ";
      add_message(text(source_of_form(i, forms)));
    }
    copied_ = all.back().end;
  }

  /// The singular for the form of the number 1, unless it lacks the number and other numbers use
  /// that form, too.
  const Extent& source_of_form(size_t form, size_t forms) const {
    if (entry_.plural.size() == 0) return entry_.id;
    const bool known = header_.rule != nullptr && header_.rule->forms == forms;
    const size_t singular = known ? header_.rule->singular : 0;
    if (forms == 1 || form != singular) return entry_.plural;
    const auto sorted = [&](std::string_view message) {
      auto found = placeholders(message, format().directives);
      std::sort(found.begin(), found.end());
      return found;
    };
    const auto one = unquoted(entry_.id);
    const auto others = unquoted(entry_.plural);
    const bool fits = !known || header_.rule->only_one || sorted(one) == sorted(others);
    return fits ? entry_.id : entry_.plural;
  }

  void add_message(std::string_view quoted) {
    auto message = Message(quoted, format()).parse();
    if (!message.segments.empty()) {
      message.segments.front().bytes_before = message.between.front().size();
      message.segments.back().bytes_after = message.between.back().size();
    }
    between_.back() += message.between.front();
    for (size_t i = 0; i < message.segments.size(); ++i) {
      segments_.push_back(std::move(message.segments[i]));
      between_.push_back(std::move(message.between[i + 1]));
    }
  }

  /// The directives of the entry, according to its flags.
  MessageFormat format() const {
    MessageFormat format;
    for (const auto& line : entry_.flags) {
      for (auto flags = text(line); !flags.empty();) {
        const auto flag = flags.substr(0, flags.find_first_of(", \t\r\n"));
        flags.remove_prefix(std::min(flags.size(), flag.size() + 1));
        const auto found = format_of_flag(flag);
        format.is_known = format.is_known && found.is_known;
        if (found.directives.empty()) continue;
        // Numbers only of the one that it has.
        format.has_numbers = format.directives.empty() && found.has_numbers;
        if (format.directives.find(found.directives) == std::string::npos) {
          format.directives += found.directives;
        }
      }
    }
    return format;
  }

  /// The mark of a translation that needs work, and the message that it was made for.
  void drop_fuzzy() {
    auto lines = entry_.flags;
    lines.insert(lines.end(), entry_.previous.begin(), entry_.previous.end());
    std::sort(lines.begin(), lines.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    for (const auto& line : lines) {
      copy_until(line.begin);
      between_.back() += without_fuzzy(text(line));
      copied_ = line.end;
    }
  }

  /// A line of flags such as "#, fuzzy, c-format" without "fuzzy"; "" if no other flag remains, and
  /// for a "#|" line.
  static std::string without_fuzzy(std::string_view line) {
    if (line.substr(0, 2) == "#|") return "";
    std::string kept;
    auto flags = line.substr(2);
    const size_t end = flags.find_last_not_of("\r\n") + 1;
    const auto line_end = flags.substr(end);
    flags = flags.substr(0, end);
    bool dropped = false;
    while (!flags.empty()) {
      const auto flag = flags.substr(0, flags.find(','));
      flags.remove_prefix(std::min(flags.size(), flag.size() + 1));
      const bool drops = trimmed(flag, " \t") == "fuzzy";
      dropped = dropped || drops;
      if (!drops) kept += "," + std::string(flag);
    }
    if (!dropped) return std::string(line);
    return kept.empty() ? "" : "#" + kept + std::string(line_end);
  }

  void complete_header_entry() {
    require_utf8_header();
    const auto& translation = entry_.translations.front();
    header_ = complete_header(text(translation), language_);
    header_begin_ = translation.begin;
    copy_until(translation.begin);
    between_.back() += header_.quoted;
    copied_ = translation.end;
  }

  void require_utf8_header() const {
    const auto& translation = entry_.translations.front();
    const auto header = to_lower(unquoted(translation));
    const size_t found = header.find("charset=");
    if (found == std::string::npos) return;
    const auto name = header.substr(found + 8, header.find_first_of(" ;\n", found) - found - 8);
    for (const char* known : {"utf-8", "utf8", "us-ascii", "ascii", "charset"}) {
      if (name == known) return;
    }
    // Text that is UTF-8 beyond ASCII was converted without its header; msgconv would do it twice.
    const bool is_ascii = std::all_of(po_.begin(), po_.end(),
                                      [](char c) { return static_cast<signed char>(c) >= 0; });
    if (is_ascii) return;
    const size_t at = po_.find("charset=", translation.begin);
    refuse(at < translation.end ? at : translation.begin,
           "charset " + name + " of a file that is in UTF-8; change the charset here to UTF-8");
  }

  void copy_until(size_t end) {
    between_.back() += po_.substr(copied_, end - copied_);
    copied_ = end;
  }

  std::string_view po_;
  const std::string& language_;
  std::string line_end_;
  CatalogHeader header_;
  size_t header_begin_ = 0;
  bool has_translations_ = false;  // that are kept
  Entry entry_;
  Extent* value_ = nullptr;  // receives the next string
  size_t copied_ = 0;
  std::vector<Segment> segments_;
  std::vector<std::string> between_;
};

}  // namespace

ParsedDocument parse_gettext(std::string_view po, const std::string& language) {
  return Catalog(po, language).parse();
}

}  // namespace nmt
