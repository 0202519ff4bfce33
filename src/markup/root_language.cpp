#include "markup/root_language.h"

#include <algorithm>

#include "translate/languages.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kNoTag = std::string::npos;
constexpr const char* kSpaces = " \t\r\n\f";

/// Where the first start tag begins, after comments and declarations.
size_t find_root(const std::string& markup) {
  size_t at = markup.find('<');
  while (at != kNoTag && at + 1 < markup.size() &&
         (markup[at + 1] == '!' || markup[at + 1] == '?')) {
    const bool comment = markup.compare(at, 4, "<!--") == 0;
    at = markup.find('<', markup.find(comment ? "-->" : ">", at));
  }
  return at;
}

}  // namespace

void set_root_language(std::string& beginning, const std::vector<std::string>& sources,
                       const std::string& target) {
  const size_t root = find_root(beginning);
  if (target.empty() || root == kNoTag) return;
  const auto is_source = [&](const std::string& code) {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const auto& source) { return same_language(source, code); });
  };
  size_t at = beginning.find_first_of(" \t\r\n\f/>", root);
  const bool is_html = to_lower(beginning.substr(root, at - root)) == "<html";
  while (true) {
    at = beginning.find_first_not_of(" \t\r\n\f/", at);
    if (at == kNoTag || beginning[at] == '>') return;
    const size_t name_end = beginning.find_first_of(" \t\r\n\f=/>", at);
    const auto name = to_lower(beginning.substr(at, name_end - at));
    at = beginning.find_first_not_of(kSpaces, name_end);
    if (at == kNoTag) return;
    if (beginning[at] != '=') continue;
    at = beginning.find_first_not_of(kSpaces, at + 1);
    if (at == kNoTag) return;
    const bool quoted = beginning[at] == '"' || beginning[at] == '\'';
    const size_t begin = quoted ? at + 1 : at;
    size_t end = quoted ? beginning.find(beginning[at], begin)
                        : beginning.find_first_of(" \t\r\n\f>", begin);
    if (end == kNoTag) return;
    const bool is_language = name == "xml:lang" || (is_html && name == "lang");
    if (is_language && is_source(beginning.substr(begin, end - begin))) {
      beginning.replace(begin, end - begin, target);
      end = begin + target.size();
    }
    at = quoted ? end + 1 : end;
  }
}

}  // namespace nmt
