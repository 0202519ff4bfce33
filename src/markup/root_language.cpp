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
  for (const char* name : {"xml:lang", "lang"}) {
    const auto code = find_attribute(std::string_view(markup).substr(at), name);
    const bool is_language = code && (is_html || std::string_view(name) == "xml:lang");
    if (!is_language || !is_source(markup.substr(at + code->begin, code->size()))) continue;
    markup.replace(at + code->begin, code->size(), target);
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

std::optional<Extent> find_attribute(std::string_view tag, std::string_view name) {
  const auto wanted = to_ascii_lower(name);
  size_t at = tag.find_first_of(" \t\r\n\f/>");
  while (true) {
    at = tag.find_first_not_of(" \t\r\n\f/", at);
    if (at == kNoTag || tag[at] == '>') return std::nullopt;
    const size_t name_end = tag.find_first_of(" \t\r\n\f=/>", at);
    const bool found = to_ascii_lower(tag.substr(at, name_end - at)) == wanted;
    at = tag.find_first_not_of(kSpaces, name_end);
    if (at == kNoTag) return std::nullopt;
    if (tag[at] != '=') continue;
    at = tag.find_first_not_of(kSpaces, at + 1);
    if (at == kNoTag) return std::nullopt;
    const bool quoted = tag[at] == '"' || tag[at] == '\'';
    const size_t begin = quoted ? at + 1 : at;
    const size_t end = quoted ? tag.find(tag[at], begin) : tag.find_first_of(" \t\r\n\f>", begin);
    if (end == kNoTag) return std::nullopt;
    if (found) return Extent{begin, end};
    at = quoted ? end + 1 : end;
  }
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
