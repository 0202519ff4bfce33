#include "markup/markup_escapes.h"

#include <algorithm>
#include <cctype>

namespace nmt {
namespace {

bool is_alphanumeric(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const auto c = static_cast<unsigned char>(text[at]);
  return std::isalnum(c) != 0 || c >= 0x80;
}

std::string escape_angles(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// The end of a section within one is divided between two.
std::string escape_cdata(std::string_view text) {
  std::string escaped(text);
  for (size_t at = escaped.find("]]>"); at != std::string::npos; at = escaped.find("]]>", at + 3)) {
    escaped.replace(at, 3, "]]]]><![CDATA[>");
    at += 12;
  }
  return escaped;
}

bool begins_reference(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && (is_alphanumeric(text, end) || text[end] == '#')) ++end;
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
      return at == 0 || !is_alphanumeric(text, at - 1) || !is_alphanumeric(text, at + 1);
    case '<':
      return at + 1 < text.size() &&
             (is_alphanumeric(text, at + 1) ||
              std::string_view("/!?").find(text[at + 1]) != std::string_view::npos);
    case '|':
      return in_table;
    case '!':
      return at + 1 == text.size();  // an opening bracket may follow
    default:
      return false;
  }
}

/// Where a character is that makes the line a heading, quote or list item; text.size() if none.
size_t block_mark(std::string_view text) {
  if (text.empty()) return 0;
  if (std::string_view("#>+-=").find(text[0]) != std::string_view::npos) return 0;
  size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) {
    ++digits;
  }
  const bool numbered =
      digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  return numbered ? digits : text.size();
}

std::string escape_markdown(std::string_view text, bool in_table, bool begins_line) {
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

}  // namespace

std::string escape_text(std::string_view text, MarkupSyntax syntax, bool begins_line) {
  switch (syntax) {
    case MarkupSyntax::kHtml:
    case MarkupSyntax::kXml:
      return escape_angles(text);
    case MarkupSyntax::kCdata:
      return escape_cdata(text);
    case MarkupSyntax::kMarkdown:
    case MarkupSyntax::kMarkdownTable:
      return escape_markdown(text, syntax == MarkupSyntax::kMarkdownTable, begins_line);
    case MarkupSyntax::kText:
      break;
  }
  return std::string(text);
}

}  // namespace nmt
