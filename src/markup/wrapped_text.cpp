#include "markup/wrapped_text.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "markup/line_breaks.h"
#include "text/protected_spans.h"
#include "unicode/code_points.h"
#include "unicode/scripts.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr std::string_view kLineBlanks = " \t\r\n";

struct WrappedLine {
  std::string_view prefix;  // indentation, and ">" of quoted lines
  std::string_view text;    // empty for a blank line
  size_t width = 0;         // columns of both
  size_t limit = 0;         // columns that a line of its paragraph has at most
};

size_t prefix_length(std::string_view line) {
  constexpr std::string_view kWideSpace = "\u3000";
  size_t at = std::min(line.find_first_not_of(" \t>"), line.size());
  while (begins_with(line.substr(at), kWideSpace)) at += kWideSpace.size();
  return at;
}

std::vector<WrappedLine> read_wrapped_lines(std::string_view text) {
  std::vector<WrappedLine> lines;
  while (!text.empty()) {
    const auto bytes = text.substr(0, text.find('\n'));
    const auto line = bytes.substr(0, bytes.find_last_not_of(kLineBlanks) + 1);
    const size_t begin = prefix_length(line);
    lines.push_back({line.substr(0, begin), line.substr(begin), display_width(line), 0});
    text.remove_prefix(std::min(bytes.size() + 1, text.size()));
  }
  return lines;
}

std::ptrdiff_t quote_depth(const WrappedLine& line) {
  return std::count(line.prefix.begin(), line.prefix.end(), '>');
}

bool may_follow(const WrappedLine& before, const WrappedLine& line) {
  return !before.text.empty() && !line.text.empty() && quote_depth(before) == quote_depth(line);
}

/// Sets the limits. The widest line of a block was not wrapped if it is much wider than most lines
/// of the text; all of them end early if it is much narrower, as in verse.
void find_limits(std::vector<WrappedLine>& lines) {
  std::vector<size_t> widths;  // of lines that others follow
  for (size_t i = 1; i < lines.size(); ++i) {
    if (may_follow(lines[i - 1], lines[i])) widths.push_back(lines[i - 1].width);
  }
  if (widths.empty()) return;
  const auto quartile = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() * 3 / 4);
  std::nth_element(widths.begin(), quartile, widths.end());
  for (size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    size_t widest = 0;
    for (end = begin;
         end == begin || (end < lines.size() && may_follow(lines[end - 1], lines[end])); ++end) {
      widest = std::max(widest, lines[end].width);
    }
    const size_t limit = 4 * widest < 3 * *quartile ? *quartile : std::min(widest, *quartile);
    for (size_t i = begin; i < end; ++i) lines[i].limit = limit;
  }
}

/// Whether the line is a field of a header, such as "Subject: …".
bool is_field(std::string_view text) {
  constexpr size_t kLongestName = 24;  // bytes
  const size_t end = text.find_first_of(": ");
  return end != text.npos && end > 0 && end <= kLongestName && text.substr(end, 2) == ": " &&
         is_upper(to_code_points(text).front());
}

/// Not dashes, which also occur within sentences.
bool begins_item(std::string_view text) {
  return is_field(text) ||
         (!begins_with(text, "–") && !begins_with(text, "—") && list_mark_length(text) > 0);
}

/// Such as "-----" below a title.
bool is_rule(std::string_view text) { return !has_letter_or_number(text); }

bool has_tab(const WrappedLine& line) { return line.text.find('\t') != std::string_view::npos; }

/// Columns of the first word. Where no spaces divide words, lines may end within the text, so it is
/// no longer than words of such scripts are.
size_t first_word_width(std::string_view text) {
  constexpr size_t kUnspacedWord = 8;
  const auto word = text.substr(0, text.find_first_of(kLineBlanks));
  const bool spaced = !is_written_without_spaces(to_code_points(text).front());
  return spaced ? display_width(word) : std::min(display_width(word), kUnspacedWord);
}

/// Whether a line continues the paragraph of the one before, which may be the first of it.
bool continues_paragraph(const WrappedLine& before, const WrappedLine& line, bool after_first) {
  if (!may_follow(before, line) || has_tab(before) || has_tab(line)) return false;
  if (!after_first && before.prefix != line.prefix) return false;
  if (begins_item(line.text) || is_rule(before.text) || is_rule(line.text)) return false;
  return before.width + 1 + first_word_width(line.text) > line.limit;
}

/// Whether the line end between two texts of a script without spaces stands for no space.
bool joins(std::string_view before, std::string_view after) {
  const auto is_unspaced = [](char32_t code) {
    return is_written_without_spaces(code) || is_east_asian(code);
  };
  return is_unspaced(last_code(before)) && is_unspaced(first_code(after));
}

/// The text; tabs separate cells.
void add_cells(std::string_view text, SegmentBuilder& builder) {
  while (!text.empty()) {
    const auto cell = text.substr(0, text.find('\t'));
    builder.add_text(cell);
    text.remove_prefix(cell.size());
    if (!text.empty()) builder.add_tab(text.substr(0, 1));
    text.remove_prefix(std::min<size_t>(1, text.size()));
  }
}

}  // namespace

void parse_wrapped_text(std::string_view text, SegmentBuilder& builder) {
  auto lines = read_wrapped_lines(text);
  find_limits(lines);
  bool is_first = false;  // whether the line before is the first of its paragraph
  bool in_signature = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto& line = lines[i];
    if (line.text.empty()) continue;
    const size_t at = builder.position();
    const auto between = text.substr(at, static_cast<size_t>(line.text.data() - text.data()) - at);
    // The line before a signature (RFC 3676, section 4.3), without the space at its end.
    const bool begins_signature = line.text == "--";
    in_signature =
        begins_signature || (in_signature && quote_depth(lines[i - 1]) == quote_depth(line));
    const bool continues =
        i > 0 && !in_signature && continues_paragraph(lines[i - 1], line, is_first);
    if (continues) {
      builder.add_break(between, BreakKind::kLine, joins(lines[i - 1].text, line.text));
    } else {
      builder.add_block(between);
    }
    is_first = !continues;
    add_cells(line.text, builder);
  }
  builder.add_block(text.substr(builder.position()));
}

}  // namespace nmt
