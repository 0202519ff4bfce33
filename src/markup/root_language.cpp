#include "markup/root_language.h"

#include <algorithm>

#include "translate/languages.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr size_t kNoTag = std::string::npos;
constexpr const char* kSpaces = " \t\r\n\f";

bool begins_with_tag(std::string_view markup, size_t at, std::string_view tag) {
  const size_t end = at + tag.size();
  return end < markup.size() && to_ascii_lower(markup.substr(at, tag.size())) == tag &&
         std::string_view(" \t\r\n\f/>").find(markup[end]) != kNoTag;
}

/// Sets the language attributes of the start tag at `at`.
void set_language(std::string& markup, size_t at, bool is_html,
                  const std::vector<std::string>& sources, const std::string& target) {
  const auto is_source = [&](const std::string& code) {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const auto& source) { return same_language(source, code); });
  };
  at = markup.find_first_of(" \t\r\n\f/>", at);
  while (true) {
    at = markup.find_first_not_of(" \t\r\n\f/", at);
    if (at == kNoTag || markup[at] == '>') return;
    const size_t name_end = markup.find_first_of(" \t\r\n\f=/>", at);
    const auto name = to_ascii_lower(markup.substr(at, name_end - at));
    at = markup.find_first_not_of(kSpaces, name_end);
    if (at == kNoTag) return;
    if (markup[at] != '=') continue;
    at = markup.find_first_not_of(kSpaces, at + 1);
    if (at == kNoTag) return;
    const bool quoted = markup[at] == '"' || markup[at] == '\'';
    const size_t begin = quoted ? at + 1 : at;
    size_t end =
        quoted ? markup.find(markup[at], begin) : markup.find_first_of(" \t\r\n\f>", begin);
    if (end == kNoTag) return;
    const bool is_language = name == "xml:lang" || (is_html && name == "lang");
    if (is_language && is_source(markup.substr(begin, end - begin))) {
      markup.replace(begin, end - begin, target);
      end = begin + target.size();
    }
    at = quoted ? end + 1 : end;
  }
}

}  // namespace

size_t find_start_tag(std::string_view markup, std::string_view tag, size_t at) {
  at = markup.find('<', at);
  while (at != kNoTag && at + 1 < markup.size()) {
    const bool passes = markup[at + 1] == '!' || markup[at + 1] == '?';
    if (!passes && (tag.empty() || begins_with_tag(markup, at, tag))) return at;
    std::string end = passes ? ">" : "";
    if (markup.compare(at, 4, "<!--") == 0) end = "-->";
    if (begins_with_tag(markup, at, "<script")) end = "</" + std::string(markup.substr(at + 1, 6));
    at = markup.find('<', markup.find(end, at + 1));
  }
  return kNoTag;
}

void set_root_language(std::vector<std::string>& between, const std::vector<std::string>& sources,
                       const std::string& target) {
  const size_t root = find_start_tag(between.front(), "");
  if (target.empty() || root == kNoTag) return;
  const bool is_html = begins_with_tag(between.front(), root, "<html");
  set_language(between.front(), root, is_html, sources, target);
  if (!is_html) return;
  // Word and LibreOffice write it there.
  for (auto& markup : between) {
    const size_t body = find_start_tag(markup, "<body");
    if (body != kNoTag) return set_language(markup, body, true, sources, target);
  }
}

}  // namespace nmt
