#include "markup/tag_scanner.h"

#include <algorithm>
#include <string>

#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr size_t kNoTag = std::string_view::npos;
constexpr const char* kSpaces = " \t\r\n\f";
constexpr const char* kNameEnds = " \t\r\n\f/>";

struct Attribute {
  Extent name;
  std::optional<Extent> value;
};

/// The next attribute of a start tag, from `at` on, which is then after it. Without one, `at` is at
/// the ">", or at the end of the text.
std::optional<Attribute> next_attribute(std::string_view markup, size_t& at) {
  const auto skip_to = [&](size_t place) { at = std::min(place, markup.size()); };
  skip_to(markup.find_first_not_of(" \t\r\n\f/", at));
  if (at == markup.size() || markup[at] == '>') return std::nullopt;
  Attribute found;
  found.name.begin = at;
  skip_to(markup.find_first_of(" \t\r\n\f=/>", at + 1));  // the name may begin with "="
  found.name.end = at;
  const size_t equals = markup.find_first_not_of(kSpaces, at);
  if (equals == kNoTag || markup[equals] != '=') return found;
  skip_to(markup.find_first_not_of(kSpaces, equals + 1));
  if (at < markup.size() && (markup[at] == '"' || markup[at] == '\'')) {
    const size_t begin = at + 1;
    const size_t end = markup.find(markup[at], begin);
    skip_to(end);
    if (at < markup.size()) ++at;
    if (end != kNoTag) found.value = Extent{begin, end};
  } else {
    const size_t begin = at;
    skip_to(markup.find_first_of(" \t\r\n\f>", at));
    found.value = Extent{begin, at};
  }
  return found;
}

bool begins_with_tag(std::string_view markup, size_t at, std::string_view tag) {
  const size_t end = at + tag.size();
  return end < markup.size() && to_ascii_lower(markup.substr(at, tag.size())) == tag &&
         std::string_view(kNameEnds).find(markup[end]) != kNoTag;
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
  size_t at = std::min(tag.find_first_of(kNameEnds), tag.size());
  while (const auto attribute = next_attribute(tag, at)) {
    const auto found = tag.substr(attribute->name.begin, attribute->name.size());
    if (attribute->value && to_ascii_lower(found) == wanted) return attribute->value;
  }
  return std::nullopt;
}

size_t count_attributes(std::string_view tag) {
  size_t count = 0;
  size_t at = std::min(tag.find_first_of(kNameEnds), tag.size());
  while (next_attribute(tag, at)) ++count;
  return count;
}

size_t tag_end(std::string_view markup, size_t at) {
  at = std::min(markup.find_first_of(kNameEnds, at), markup.size());
  while (next_attribute(markup, at)) {
  }
  return std::min(at + 1, markup.size());
}

}  // namespace nmt
