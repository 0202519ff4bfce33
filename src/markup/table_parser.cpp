#include "markup/table_parser.h"

#include <algorithm>
#include <cstddef>

namespace nmt {
namespace {

constexpr std::string_view kQuote = "\"";

/// The place of the quote that ends the quoted cell at `begin`; npos if the cell is not quoted as a
/// whole, as in: "Yes", she said
size_t closing_quote(std::string_view text, size_t begin) {
  if (text.substr(begin, 1) != kQuote) return text.npos;
  size_t at = text.find('"', begin + 1);
  while (at != text.npos && text.substr(at + 1, 1) == kQuote) at = text.find('"', at + 2);
  const auto rest = text.substr(std::min(at, text.size() - 1) + 1);
  const bool ends_cell = rest.empty() || std::string_view("\t\r\n").find(rest[0]) != rest.npos;
  return at != text.npos && ends_cell ? at : text.npos;
}

/// The next line end as programs write it in tables of their texts, a backslash and an n; npos if
/// there is none. Not one in a path, such as C:\new.
size_t find_line_end(std::string_view text) {
  size_t seen = 0;  // up to one in a path, whose word may go on
  for (size_t at = text.find("\\n"); at != text.npos; at = text.find("\\n", at + 2)) {
    const auto before = text.substr(seen, at - seen);
    const auto word = before.substr(before.find_last_of(' ') + 1);
    const bool in_path = word.find('\\') != word.npos || (word.size() == 2 && word[1] == ':');
    if (!in_path) return at;
    seen = at;
  }
  return text.npos;
}

/// Adds text of a cell, whose lines are separate texts unless a sentence continues.
void add_lines(std::string_view text, SegmentBuilder& builder) {
  while (!text.empty()) {
    const size_t end = std::min(find_line_end(text), text.size());
    const auto line = text.substr(0, end);
    builder.add_text(line);
    text.remove_prefix(end);
    if (text.empty()) return;
    const auto line_end = text.substr(0, 2);
    text.remove_prefix(2);
    builder.add_line_end(line_end, line, text.substr(0, find_line_end(text)));
  }
}

/// The inside of a quoted cell; each of its lines is a text.
void add_quoted(std::string_view text, SegmentBuilder& builder) {
  while (!text.empty()) {
    const auto plain = text.substr(0, text.find_first_of("\"\t\r\n"));
    add_lines(plain, builder);
    text.remove_prefix(plain.size());
    if (text.substr(0, 1) == kQuote) {
      builder.add_text(kQuote, text.substr(0, 2));
      text.remove_prefix(2);
    } else if (!text.empty()) {
      builder.add_block(text.substr(0, 1));
      text.remove_prefix(1);
    }
  }
}

}  // namespace

void parse_table(std::string_view text, SegmentBuilder& builder) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = closing_quote(text, begin);
    if (end != text.npos) {
      builder.add_block(text.substr(begin, 1));
      builder.set_syntax(MarkupSyntax::kQuotedCell);
      add_quoted(text.substr(begin + 1, end - begin - 1), builder);
      builder.add_block(text.substr(end++, 1));
    } else {
      end = std::min(text.find_first_of("\t\r\n", begin), text.size());
      builder.set_syntax(MarkupSyntax::kCell);
      add_lines(text.substr(begin, end - begin), builder);
    }
    builder.add_block(text.substr(end, 1));
    begin = end + 1;
  }
}

}  // namespace nmt
