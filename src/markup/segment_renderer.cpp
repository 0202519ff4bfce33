#include "markup/segment_renderer.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "markup/placeholder.h"
#include "markup/tag_placement.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

bool is_alphanumeric_at(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at]);
  return std::isalnum(c) != 0 || c >= 0x80;
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result(text);
  replace_all(result, from, to);
  return result;
}

bool begins_reference(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && (is_alphanumeric_at(text, end) || text[end] == '#')) ++end;
  return end > 1 && end < text.size() && text[end] == ';';
}

/// Whether the character at `at` can begin or end inline markup.
bool is_inline_markup(std::string_view text, size_t at, bool in_table) {
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']':
    case '~':
      return true;
    case '_':
      return at == 0 || !is_alphanumeric_at(text, at - 1) || !is_alphanumeric_at(text, at + 1);
    case '<':
      return at + 1 < text.size() &&
             (is_alphanumeric_at(text, at + 1) ||
              std::string_view("/!?").find(text[at + 1]) != std::string_view::npos);
    case '|':
      return in_table;
    default:
      return false;
  }
}

/// The position of the character that makes the line a heading, quote or list item; text.size() if
/// there is none.
size_t block_mark(std::string_view text) {
  if (text.empty()) return 0;
  if (std::string_view("#>+-=").find(text[0]) != std::string_view::npos) return 0;
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool numbered =
      digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  return numbered ? digits : text.size();
}

std::string escape_markdown(std::string_view text, bool in_table, bool begins_line) {
  if (text.find_first_not_of('_') == text.npos) return std::string(text);  // a blank to fill in
  const size_t block = begins_line ? block_mark(text) : text.size();
  std::string escaped;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '&' && begins_reference(text.substr(at))) {
      escaped += "&amp;";
      continue;
    }
    if (at == block || is_inline_markup(text, at, in_table)) escaped += '\\';
    escaped += text[at];
  }
  return escaped;
}

/// Escapes text so that a reader of that syntax sees it as text. `begins_line`: the text begins a
/// line, where Markdown has more markup.
std::string escape_text(std::string_view text, MarkupSyntax syntax, bool begins_line) {
  switch (syntax) {
    case MarkupSyntax::kHtml:
    case MarkupSyntax::kXml:
      return escape_angles(text);
    case MarkupSyntax::kCdata:
      // Divides the end of a section between two sections.
      return replaced(text, "]]>", "]]]]><![CDATA[>");
    case MarkupSyntax::kMarkdown:
    case MarkupSyntax::kMarkdownTable:
      return escape_markdown(text, syntax == MarkupSyntax::kMarkdownTable, begins_line);
    case MarkupSyntax::kGettext:
      return replaced(replaced(text, "\\", "\\\\"), "\"", "\\\"");
    case MarkupSyntax::kQuotedCell:
      return replaced(text, "\"", "\"\"");
    case MarkupSyntax::kCell:
    case MarkupSyntax::kSubtitles:
    case MarkupSyntax::kText:
      break;
  }
  return std::string(text);
}

/// A text with each directive that takes the next argument replaced.
std::string with_arguments(std::string_view text, char first,
                           const std::function<std::string(std::string_view)>& replacement) {
  std::string result;
  const char* done = text.data();
  for (const auto directive : next_arguments(text, first).directives) {
    result.append(done, directive.data()).append(replacement(directive));
    done = directive.data() + directive.size();
  }
  return result.append(done, text.data() + text.size());
}

/// A message whose elements occur in the order `written`, with its directives numbered or, if they
/// cannot be, in the order of the source.
Segment with_arguments_in_place(Segment message, const std::vector<size_t>& written) {
  auto& elements = message.elements;
  for (const char first : message.directives) {
    size_t next = 0;
    if (message.numbers_arguments) {
      for (auto& element : elements) {
        element.opening = with_arguments(element.opening, first, [&](std::string_view directive) {
          return with_argument(directive, ++next);
        });
      }
      continue;
    }
    std::vector<std::string> arguments;
    for (const auto& element : elements) {
      const auto found = next_arguments(element.opening, first).directives;
      arguments.insert(arguments.end(), found.begin(), found.end());
    }
    for (const size_t e : written) {
      elements[e].opening = with_arguments(elements[e].opening, first,
                                           [&](std::string_view) { return arguments.at(next++); });
    }
  }
  return message;
}

class SegmentRenderer {
 public:
  SegmentRenderer(const Segment& segment, const AlignedWords& words)
      : segment_(segment), words_(words), items_(place_tags(segment, words)) {
    for (const auto& word : words.target) rest_.push_back({0, word.size()});
    if (segment.syntax != MarkupSyntax::kGettext) return;
    for (const auto& element : segment.elements) {
      if (element.placement != Placement::kVerbatim) continue;
      const auto text =
          std::string_view(segment.text).substr(element.begin, element.end - element.begin);
      for (const auto one : placeholders(text, segment.directives)) placeholders_.insert(one);
    }
  }

  std::string render() {
    write_run(segment_.elements.size(), 0, words_.target.size());
    // For words that an element replaces.
    while (inner_ < words_.inner_breaks.size()) write_gap(words_.inner_breaks[inner_++].bytes);
    return std::move(out_);
  }

  /// The elements of a message with directives that take the next argument, in order.
  const std::vector<size_t>& written() const { return written_; }

 private:
  /// Writes the words from `begin` to `end` with the tags in this element.
  void write_run(size_t parent, size_t begin, size_t end) {
    const auto& items = items_[parent];
    auto item = std::partition_point(items.begin(), items.end(),
                                     [&](const TagRun& run) { return run.begin < begin; });
    for (size_t t = begin;; ++t) {
      write_points(items, item, t, {begin, end});
      if (t == end) return;
      for (; item != items.end() && item->begin == t; ++item) {
        write_element(*item);
        t = item->end - 1;
      }
      write_word(t, rest_[t].end);
    }
  }

  /// Writes the points before a word and, within a run, the white space there.
  void write_points(const std::vector<TagRun>& items, std::vector<TagRun>::const_iterator& item,
                    size_t t, const Extent& run) {
    const bool within = t > run.begin && t < run.end;
    const size_t begin = out_.size();
    const auto is_here = [&] { return item != items.end() && item->begin == t && item->end == t; };
    std::string gap = within ? words_.gaps[t] : "";
    for (; is_here(); ++item) {
      const auto& element = segment_.elements[item->element];
      // A line break stands for the space.
      const bool replaces = element.breaks_line && gap == " ";
      if (item->after_gap || replaces) {
        write_gap(replaces ? "" : gap);
        gap.clear();
      }
      write_empty(item->element, t == run.begin && out_.size() == begin);
      // A kVerbatim element counts as a word.
      if (element.placement == Placement::kVerbatim && t < run.end) {
        write_gap(gap.empty() ? " " : gap);
        gap.clear();
      }
    }
    write_gap(gap);
  }

  void write_gap(const std::string& gap) {
    if (gap.find('\n') != std::string::npos) begins_line_ = true;
    const bool drops = std::exchange(drops_gap_, false) && gap == " ";
    if (!drops) out_ += gap;
  }

  /// An element without words. `is_first`: nothing precedes it in the element that it is in.
  void write_empty(size_t e, bool is_first) {
    const auto& element = segment_.elements[e];
    // Empty emphasis would be read as text.
    const bool shown = element.placement != Placement::kRepeated || !is_markdown(segment_.syntax);
    const bool is_word = element.placement == Placement::kVerbatim;
    const bool joined = element.joins_previous || is_first;
    if (is_word && !joined && !out_.empty() && out_.back() != ' ' && out_.back() != '\n')
      out_ += ' ';
    if (shown) write_opening(e);
    is_first = is_first || shown;
    for (const auto& item : items_[e]) write_empty(item.element, std::exchange(is_first, false));
    if (shown) write_closing(e);
    if (element.breaks_line) begins_line_ = true;
  }

  void write_element(const TagRun& run) {
    const auto& element = segment_.elements[run.element];
    const size_t last = run.end - 1;
    write_word(run.begin, run.lead);
    auto& rest = rest_[last];
    const size_t end =
        std::max(rest.begin, std::min(rest.end, words_.target[last].size() - run.trail));
    const size_t whole_end = rest.end;
    rest.end = end;
    write_opening(run.element);
    if (element.placement != Placement::kVerbatim) write_run(run.element, run.begin, run.end);
    write_closing(run.element);
    rest = {end, whole_end};
  }

  void write_opening(size_t e) {
    const auto& element = segment_.elements[e];
    // "!" before a link would make an image of it.
    const bool follows_mark = !out_.empty() && out_.back() == '!';
    if (is_markdown(segment_.syntax) && follows_mark && begins_with(element.opening, "[")) {
      out_.insert(out_.size() - 1, "\\");
    }
    if (element.joins_previous && !out_.empty() && out_.back() == ' ') out_.pop_back();
    out_ += element.opening;
    drops_gap_ = false;
    const auto& formats = segment_.directives;
    const bool counts = std::any_of(formats.begin(), formats.end(), [&](char first) {
      return !next_arguments(element.opening, first).directives.empty();
    });
    if (counts) written_.push_back(e);
  }

  void write_closing(size_t e) {
    out_ += segment_.elements[e].closing;
    drops_gap_ = segment_.elements[e].joins_next;
  }

  /// Writes the rest of a word up to that byte.
  void write_word(size_t t, size_t end) {
    auto& rest = rest_[t];
    end = std::min(end, rest.end);
    if (end <= rest.begin) return;
    const auto& breaks = words_.inner_breaks;
    for (; inner_ < breaks.size(); ++inner_) {
      const auto& [word, at, bytes] = breaks[inner_];
      if (word > t || (word == t && at >= end)) break;
      if (word == t && at > rest.begin) write_text(t, at);
      write_gap(bytes);
    }
    write_text(t, end);
  }

  void write_text(size_t t, size_t end) {
    auto& begin = rest_[t].begin;
    const auto text = std::string_view(words_.target[t]).substr(begin, end - begin);
    const auto kept = without_placeholders(text);
    // The space next to the word that is left out.
    const bool drops =
        kept.empty() || (kept.front() != text.front() && !is_alphanumeric_at(kept, 0));
    if (drops && !out_.empty() && out_.back() == ' ') {
      out_.pop_back();
    } else {
      drops_gap_ = kept.empty();
    }
    out_ += escape_text(kept, segment_.syntax, begins_line_);
    begins_line_ = false;
    begin = end;
  }

  /// Without what the elements of the message are.
  std::string without_placeholders(std::string_view text) const {
    if (placeholders_.empty()) return std::string(text);
    std::string kept;
    while (!text.empty()) {
      const size_t length = placeholder_length(text, segment_.directives);
      auto found = text.substr(0, std::max<size_t>(1, length));
      if (ends_with(found, "%%")) {  // "%d%%" may be two of the message
        const auto first = found.substr(0, found.size() - 2);
        if (placeholders_.count(found) == 0 && placeholders_.count(first) > 0) found = first;
      }
      if (placeholders_.count(found) == 0) kept += found;
      text.remove_prefix(found.size());
    }
    return kept;
  }

  const Segment& segment_;
  const AlignedWords& words_;
  std::vector<std::vector<TagRun>> items_;
  std::vector<Extent> rest_;  // of each target word: the bytes still to write
  std::vector<size_t> written_;
  size_t inner_ = 0;  // the next of AlignedWords::inner_breaks
  std::string out_;
  bool begins_line_ = true;
  bool drops_gap_ = false;                   // of a word that was left out
  std::set<std::string_view> placeholders_;  // which elements of a message are
};

}  // namespace

std::string escape_angles(std::string_view text) {
  // "&" first: the others add more.
  return replaced(replaced(replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;");
}

std::string render_segment(const Segment& segment, const AlignedWords& words) {
  SegmentRenderer renderer(segment, words);
  auto text = renderer.render();
  const auto& written = renderer.written();
  if (std::is_sorted(written.begin(), written.end())) return text;
  const auto message = with_arguments_in_place(segment, written);
  return SegmentRenderer(message, words).render();
}

}  // namespace nmt
