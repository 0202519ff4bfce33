#include "markup/root_language.h"

#include <algorithm>

#include "markup/tag_scanner.h"
#include "translate/languages.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

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

void set_root_language(std::vector<std::string>& between, const std::vector<std::string>& sources,
                       const std::string& target) {
  const size_t root = find_start_tag(between.front(), "");
  if (target.empty() || root == std::string::npos) return;
  const bool is_html = find_start_tag(between.front(), "<html") == root;
  set_language(between.front(), root, is_html, sources, target);
  if (!is_html) return;
  // Word and LibreOffice write it there.
  for (auto& markup : between) {
    const size_t body = find_start_tag(markup, "<body");
    if (body != std::string::npos) return set_language(markup, body, true, sources, target);
  }
}

}  // namespace nmt
