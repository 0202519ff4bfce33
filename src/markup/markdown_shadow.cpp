#include "markup/markdown_shadow.h"

#include <algorithm>
#include <cctype>

namespace nmt {
namespace {

constexpr size_t kHyphens = 3;  // of a column that md4c recognizes
constexpr size_t kMaxLabel = 1000;

bool is_white(std::string_view text, size_t at) {
  return at >= text.size() || std::isspace(static_cast<unsigned char>(text[at])) != 0;
}

/// Whether a line, which may be quoted or indented, consists of characters of a delimiter row. One
/// that begins with "- " is a list item.
bool is_delimiter_row(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t>");
  if (begin == std::string_view::npos) return false;
  const auto row = line.substr(begin);
  return row.find('|') != std::string_view::npos && row.find('-') != std::string_view::npos &&
         row.find_first_not_of("|:- \t\r\n") == std::string_view::npos && row.substr(0, 2) != "- ";
}

bool is_blank_line(std::string_view text, size_t begin) {
  const size_t at = text.find_first_not_of(" \t\r>", begin);
  return at == std::string_view::npos || text[at] == '\n';
}

/// Similar to Pandoc's rule, so that "$5 and $10" is not math.
bool ends_math(std::string_view text, size_t begin, size_t end) {
  const bool within_word =
      end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0;
  return begin > 0 && !is_white(text, begin - 1) && !within_word;
}

/// Whether a backslash escapes the character at `at`.
bool is_escaped(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && text[begin - 1] == '\\') --begin;
  return (at - begin) % 2 == 1;
}

}  // namespace

size_t footnote_length(std::string_view text) {
  if (text.substr(0, 2) != "[^") return 0;
  const size_t end = text.substr(0, kMaxLabel).find_first_of("[] \t\r\n", 2);
  return end == std::string_view::npos || end == 2 || text[end] != ']' ? 0 : end + 1;
}

MarkdownShadow::MarkdownShadow(std::string_view markdown) {
  for (size_t at = 0; at < markdown.size();) {
    const size_t end = std::min(markdown.find('\n', at), markdown.size() - 1) + 1;
    const auto line = markdown.substr(at, end - at);
    if (is_delimiter_row(line)) {
      add_delimiter_row(line);
    } else {
      text_ += line;
    }
    at = end;
  }
  hide_footnotes();
  hide_dollars();
}

void MarkdownShadow::add_delimiter_row(std::string_view row) {
  for (size_t at = 0; at < row.size();) {
    if (row[at] != '-') {
      text_ += row[at++];
      continue;
    }
    const size_t hyphens = std::min(row.find_first_not_of('-', at), row.size()) - at;
    text_.append(hyphens, '-');
    at += hyphens;
    if (hyphens >= kHyphens) continue;
    const size_t before = added_.empty() ? 0 : added_.back().before + added_.back().size;
    added_.push_back({text_.size(), kHyphens - hyphens, before});
    text_.append(kHyphens - hyphens, '-');
  }
}

void MarkdownShadow::hide_footnotes() {
  for (size_t at = 0; (at = text_.find("[^", at)) != std::string::npos; ++at) {
    const size_t length = footnote_length(std::string_view(text_).substr(at));
    const size_t end = at + length;
    // With a destination, it is a link.
    const bool is_link = end < text_.size() && text_[end] == '(';
    if (length == 0 || is_link || is_escaped(text_, at)) continue;
    text_[at] = '{';
    std::fill(text_.begin() + static_cast<std::ptrdiff_t>(at + 2),
              text_.begin() + static_cast<std::ptrdiff_t>(end - 1), 'x');
    text_[end - 1] = '}';
  }
}

void MarkdownShadow::hide_dollars() {
  size_t opening = std::string::npos;  // of what may be math
  const auto hide = [&](size_t at) {
    while (at < text_.size() && text_[at] == '$') text_[at++] = '{';
  };
  const auto end_block = [&] {
    hide(opening);
    opening = std::string::npos;
  };
  for (size_t at = 0; at < text_.size();) {
    if (text_[at] == '\n' && is_blank_line(text_, at + 1)) end_block();
    if (text_[at] != '$' || is_escaped(text_, at)) {
      ++at;
      continue;
    }
    const size_t begin = at;
    at = std::min(text_.find_first_not_of('$', at), text_.size());
    const bool display = at - begin == 2;
    const bool fits = opening != std::string::npos &&
                      text_.find_first_not_of('$', opening) - opening == at - begin;
    if (fits && (display || ends_math(text_, begin, at))) {
      opening = std::string::npos;
      continue;
    }
    end_block();
    if (display || (at - begin == 1 && !is_white(text_, at))) {
      opening = begin;
    } else {
      hide(begin);
    }
  }
  end_block();
}

size_t MarkdownShadow::original(size_t at) const {
  const auto next = std::partition_point(added_.begin(), added_.end(),
                                         [&](const Added& added) { return added.at < at; });
  if (next == added_.begin()) return at;
  const auto& last = *(next - 1);
  return at - last.before - std::min(last.size, at - last.at);
}

}  // namespace nmt
