#include "serve/html_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kMaxEntity = 12;

/// The text of an entity's name between '&' and ';'; empty if unknown.
std::string entity_text(std::string_view name) {
  struct Named {
    std::string_view name;
    const char* text;
  };
  constexpr Named kNamed[] = {{"amp", "&"},   {"lt", "<"},   {"gt", ">"},
                              {"quot", "\""}, {"apos", "'"}, {"nbsp", " "}};
  for (const auto& named : kNamed) {
    if (named.name == name) return named.text;
  }
  if (name.size() < 2 || name[0] != '#') return "";
  const bool hexadecimal = name[1] == 'x' || name[1] == 'X';
  const auto digits = name.substr(hexadecimal ? 2 : 1);
  uint32_t code = 0;
  const auto parsed =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (!whole || code < 0x20 || code > 0x10FFFF || surrogate) return "";
  return to_utf8(std::u32string(1, static_cast<char32_t>(code)));
}

std::string read_entities(std::string_view html) {
  std::string text;
  for (size_t at = 0; at < html.size();) {
    const size_t end = html[at] == '&' ? html.substr(at, kMaxEntity).find(';') : std::string::npos;
    const auto read = end != std::string::npos ? entity_text(html.substr(at + 1, end - 1)) : "";
    if (read.empty()) {
      text += html[at++];
    } else {
      text += read;
      at += end + 1;
    }
  }
  return text;
}

bool starts_with_name(std::string_view html, std::string_view lower_case) {
  return html.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), html.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

size_t end_of(std::string_view html, std::string_view what, size_t from) {
  const size_t found = html.find(what, from);
  return found == std::string_view::npos ? html.size() : found + what.size();
}

/// Length of the markup at the beginning of `html`.
size_t markup_length(std::string_view html) {
  if (html.substr(0, 4) == "<!--") return end_of(html, "-->", 4);
  for (const std::string_view name : {"script", "style"}) {
    if (!starts_with_name(html.substr(1), name)) continue;
    const std::string closing = "</" + std::string(name);
    for (size_t at = html.find("</", 1); at != std::string_view::npos;
         at = html.find("</", at + 1)) {
      if (starts_with_name(html.substr(at), closing)) return end_of(html, ">", at);
    }
    return html.size();
  }
  return end_of(html, ">", 0);
}

bool begins_markup(std::string_view html, size_t at) {
  if (html[at] != '<' || at + 1 >= html.size()) return false;
  const auto next = static_cast<unsigned char>(html[at + 1]);
  return std::isalpha(next) != 0 || next == '/' || next == '!' || next == '?';
}

void append(TextPieces& to, const TextPieces& more) {
  to.between.back() += more.between.front();
  to.sentences.insert(to.sentences.end(), more.sentences.begin(), more.sentences.end());
  to.between.insert(to.between.end(), more.between.begin() + 1, more.between.end());
}

}  // namespace

TextPieces split_html(std::string_view html) {
  TextPieces pieces{{}, {""}};
  for (size_t at = 0; at < html.size();) {
    if (begins_markup(html, at)) {
      const size_t length = markup_length(html.substr(at));
      pieces.between.back() += html.substr(at, length);
      at += length;
      continue;
    }
    size_t end = at + 1;
    while (end < html.size() && !begins_markup(html, end)) ++end;
    append(pieces, split_text(read_entities(html.substr(at, end - at))));
    at = end;
  }
  return pieces;
}

}  // namespace nmt
