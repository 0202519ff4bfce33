#include "corpus_check/line_defects.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <string>

#include "unicode/code_points.h"
#include "unicode/scripts.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

// Windows-1252 for the bytes 0x80 to 0x9F; 0: none.
constexpr std::array<char32_t, 32> kWindows1252 = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

/// The byte from 0x80 that Windows-1252 or Latin-1 decodes to this character; 0 if there is none.
uint8_t byte_of(char32_t code) {
  if (code >= 0x80 && code <= 0xFF) return static_cast<uint8_t>(code);
  const auto* found = std::find(kWindows1252.begin(), kWindows1252.end(), code);
  if (code == 0 || found == kWindows1252.end()) return 0;
  return static_cast<uint8_t>(0x80 + (found - kWindows1252.begin()));
}

/// Whether a character is likely text that was decoded wrongly. Of two bytes only accented letters
/// and signs: "Ü“" would be Syriac.
bool is_plausible(char32_t code) {
  if (code < 0x800) return code < 0x180 || (code >= 0x370 && code < 0x450);
  const bool symbol = code >= 0x2000 && code <= 0x2BFF;
  const bool emoji = code >= 0x1F000 && code <= 0x1FAFF;
  return symbol || emoji || script_of(code) < Script::kEthiopic;
}

/// How many UTF-8 characters the Windows-1252 bytes of these characters form. Accented letters and
/// punctuation count twice; others may be coincidence, e.g. "é »" as a Chinese character.
int utf8_of_others(std::u32string_view codes) {
  std::string bytes;
  for (const char32_t code : codes) bytes += static_cast<char>(byte_of(code));
  int found = 0;
  for (size_t begin = 0; begin < bytes.size(); ++begin) {
    const auto first = static_cast<uint8_t>(bytes[begin]);
    const size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
    if (size == 0 || begin + size > bytes.size()) continue;
    const auto character = std::string_view(bytes).substr(begin, size);
    if (find_invalid_utf8(character) || !is_plausible(to_code_points(character)[0])) continue;
    const bool usual = first <= 0xC5 || first == 0xE2 || first >= 0xEF;
    found += usual ? 2 : 1;
    begin += size - 1;
  }
  return found;
}

/// Whether this looks like a two-byte encoding such as EUC-KR read as Latin-1: a mix of letters and
/// signs.
bool is_latin_1_soup(std::u32string_view codes) {
  if (codes.size() < 4) return false;
  const auto letters = std::count_if(codes.begin(), codes.end(), is_letter);
  const auto all = static_cast<std::ptrdiff_t>(codes.size());
  // French quotation marks stand after accented letters and no-break spaces.
  const auto may_be = [](char32_t code) {
    return code <= 0xFF && code != 0xA0 && code != U'«' && code != U'»';
  };
  return std::all_of(codes.begin(), codes.end(), may_be) && letters * 5 > all &&
         letters * 5 < all * 4;
}

constexpr std::string_view kTags[] = {
    "a",      "abbr",  "b",     "big", "blockquote", "body",   "br",    "code",   "center",
    "cite",   "dd",    "div",   "dl",  "dt",         "em",     "font",  "form",   "h1",
    "h2",     "h3",    "h4",    "h5",  "h6",         "head",   "hr",    "html",   "i",
    "img",    "input", "label", "li",  "link",       "meta",   "ol",    "option", "p",
    "pre",    "q",     "ref",   "s",   "script",     "select", "small", "span",   "strike",
    "strong", "style", "sub",   "sup", "table",      "tbody",  "td",    "tfoot",  "th",
    "thead",  "title", "tr",    "tt",  "u",          "ul",     "video"};

bool is_ascii_letter(char byte) { return std::isalpha(static_cast<unsigned char>(byte)) != 0; }
bool is_ascii_word(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '-' || byte == '_' ||
         byte == ':';
}

/// Whether the text between < and > is a tag.
bool is_tag(std::string_view inside) {
  if (inside.substr(0, 3) == "!--" || inside.substr(0, 8) == "!DOCTYPE") return true;
  const bool closing = !inside.empty() && inside.front() == '/';
  if (closing) inside.remove_prefix(1);
  if (inside.empty() || !is_ascii_letter(inside.front())) return false;
  const auto* end = std::find_if_not(inside.begin(), inside.end(), is_ascii_word);
  const auto name = to_lower({inside.data(), static_cast<size_t>(end - inside.begin())});
  const auto rest = inside.substr(name.size());
  if (rest.find_first_not_of(" /") == std::string_view::npos) {
    return closing || (!rest.empty() && rest.back() == '/') ||
           std::find(std::begin(kTags), std::end(kTags), name) != std::end(kTags);
  }
  return rest.front() == ' ' &&
         (rest.find("=\"") != std::string_view::npos || rest.find("='") != std::string_view::npos);
}

/// Whether the text between & and ; is an entity.
bool is_entity(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "amp",   "lt",    "gt",    "quot",   "apos",   "nbsp",   "ndash",  "mdash", "hellip",
      "laquo", "raquo", "lsquo", "rsquo",  "ldquo",  "rdquo",  "bdquo",  "bull",  "copy",
      "reg",   "trade", "deg",   "euro",   "middot", "szlig",  "auml",   "ouml",  "uuml",
      "Auml",  "Ouml",  "Uuml",  "eacute", "egrave", "agrave", "ccedil", "ecirc", "shy"};
  if (name.size() > 1 && name.front() == '#') {
    return std::all_of(name.begin() + 1, name.end(), [](char byte) {
      return byte == 'x' || std::isxdigit(static_cast<unsigned char>(byte)) != 0;
    });
  }
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

bool is_address(std::string_view word) {
  const auto lower = to_lower(word);
  const auto begins = [&](std::string_view with) {
    return lower.size() > with.size() && lower.compare(0, with.size(), with) == 0;
  };
  for (const auto scheme : {"http://", "https://", "ftp://", "mailto:", "www."}) {
    if (begins(scheme)) return true;
  }
  const auto at = word.find('@');
  if (at != std::string_view::npos) {
    return at > 0 && word.find('.', at) != std::string_view::npos && word.find('.', at) > at + 1;
  }
  // A domain with a path: example.org/page.
  const auto slash = word.find('/');
  const auto host = word.substr(0, slash);
  const auto dot = host.rfind('.');
  return slash != std::string_view::npos && dot != std::string_view::npos && dot > 0 &&
         host.size() > dot + 2 &&
         std::all_of(host.begin() + static_cast<std::ptrdiff_t>(dot) + 1, host.end(),
                     is_ascii_letter);
}

}  // namespace

bool has_wrong_encoding(std::string_view line) {
  if (std::all_of(line.begin(), line.end(), [](unsigned char byte) { return byte < 0x80; }))
    return false;
  const auto codes = to_code_points(line);
  int utf8 = 0;
  for (size_t begin = 0; begin < codes.size(); ++begin) {
    if (codes[begin] == 0xFFFD) return true;
    // UTF-8 read as Mac Roman: √ for the first byte of an accented letter.
    if (codes[begin] == U'√' && begin + 1 < codes.size() && codes[begin + 1] > 0x7F) return true;
    if (byte_of(codes[begin]) == 0) continue;
    size_t end = begin;
    while (end < codes.size() && byte_of(codes[end]) != 0) ++end;
    const auto run = std::u32string_view(codes).substr(begin, end - begin);
    utf8 += utf8_of_others(run);
    if (utf8 >= 2 || is_latin_1_soup(run)) return true;
    begin = end - 1;
  }
  return false;
}

bool has_markup(std::string_view line) {
  // Ends at the next beginning, too: a line of beginnings alone takes time linear in its length.
  const auto has_part = [&](char begin, char end, bool (*is_markup)(std::string_view)) {
    const char ends[] = {begin, end, '\0'};
    for (size_t at = line.find(begin); at != std::string_view::npos;) {
      const size_t next = line.find_first_of(ends, at + 1);
      if (next == std::string_view::npos) return false;
      if (line[next] == end && is_markup(line.substr(at + 1, next - at - 1))) return true;
      at = line.find(begin, next);
    }
    return false;
  };
  return has_part('<', '>', is_tag) || has_part('&', ';', is_entity);
}

bool is_only_addresses(std::string_view line) {
  const auto words = split_whitespace(line);
  return !words.empty() && std::all_of(words.begin(), words.end(), is_address);
}

bool is_joined(std::string_view line) {
  const auto has_text = [](std::string_view text) {
    return text.find_first_not_of(" \t\r") != std::string_view::npos;
  };
  const auto tab = line.find('\t', std::min(line.find_first_not_of(" \t"), line.size()));
  return tab != std::string_view::npos && has_text(line.substr(tab));
}

}  // namespace nmt
