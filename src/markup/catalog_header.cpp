#include "markup/catalog_header.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "markup/quoted_text.h"
#include "text/written_words.h"
#include "translate/languages.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr size_t kMaxForms = 16;  // no language has more than 6

// A header has lines of the form "Name: value\n", in quotes.

/// The field's value without surrounding white space.
std::optional<Extent> find_field(const std::string& header, const std::string& name) {
  for (size_t line = 0; line < header.size();) {
    const size_t end = std::min(header.find('\n', line), header.size());
    if (header.compare(line, name.size() + 1, name + ":") == 0) {
      Extent found = {std::min(header.find_first_not_of(" \t", line + name.size() + 1), end), end};
      while (found.end > found.begin && header[found.end - 1] == ' ') --found.end;
      return found;
    }
    line = end + 1;
  }
  return std::nullopt;
}

/// "" if there is no such field.
std::string field_value(const std::string& quoted, const std::string& name) {
  const auto header = unquote(quoted).text;
  const auto found = find_field(header, name);
  return found ? header.substr(found->begin, found->size()) : "";
}

/// `value` must not need escaping.
void set_field(std::string& quoted, const std::string& name, const std::string& value) {
  const auto header = unquote(quoted);
  if (const auto found = find_field(header.text, name)) {
    const size_t begin = header.begin[found->begin];
    quoted.replace(begin, header.begin[found->end] - begin, value);
    return;
  }
  const bool open = !header.text.empty() && header.text.back() != '\n';
  const std::string line_end = quoted.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  if (open) quoted.insert(header.begin.back(), "\\n");
  quoted += line_end + "\"" + name + ": " + value + "\\n\"";
}

/// The value of nplurals; 0 if there is none, as in templates ("nplurals=INTEGER").
size_t number_of_forms(const std::string& plural_forms) {
  constexpr std::string_view kNumber = "nplurals=";
  const size_t at = plural_forms.find(kNumber);
  if (at == std::string::npos) return 0;
  size_t forms = 0;
  const char* end = plural_forms.data() + plural_forms.size();
  const auto read = std::from_chars(plural_forms.data() + at + kNumber.size(), end, forms);
  const bool rules =
      std::string_view(read.ptr, static_cast<size_t>(end - read.ptr)).find("plural=") !=
      std::string_view::npos;
  return read.ec == std::errc() && rules && forms <= kMaxForms ? forms : 0;
}

}  // namespace

CatalogHeader complete_header(std::string_view quoted, const std::string& language) {
  CatalogHeader header;
  header.quoted = quoted;
  auto& completed = header.quoted;
  // A text in ASCII, whatever its charset is called, is UTF-8; its translation need not be ASCII.
  constexpr std::string_view kCharset = "charset=";
  if (const size_t at = completed.find(kCharset); at != std::string::npos) {
    const size_t begin = at + kCharset.size();
    const size_t size =
        std::min(completed.find_first_of(" ;\\\"", begin), completed.size()) - begin;
    const auto name = to_lower(completed.substr(begin, size));
    if (name != "utf-8" && name != "utf8") completed.replace(begin, size, "UTF-8");
  }
  auto own = field_value(completed, "Language");
  const bool belongs = language.empty() || primary_language(own) == primary_language(language);
  if (!belongs) {
    const size_t forms = number_of_forms(field_value(completed, "Plural-Forms"));
    const auto* rule = find_plural_rule(language);
    if (!own.empty()) {
      header.conflict = "Language " + own + " of existing translations, but the model's is " +
                        language + "; use a model for " + own + " or the .pot file";
    } else if (forms > 0 && rule != nullptr && forms != rule->forms) {
      header.conflict = "nplurals=" + std::to_string(forms) + " of existing translations, but " +
                        language + " has " + std::to_string(rule->forms) +
                        "; set Language to that of the translations";
    }
    own = language;
    std::replace(own.begin(), own.end(), '-', '_');
    set_field(completed, "Language", own);
  }
  header.rule = find_plural_rule(own);
  header.forms = number_of_forms(field_value(completed, "Plural-Forms"));
  if (header.rule != nullptr && (!belongs || header.forms == 0)) {
    header.forms = header.rule->forms;
    set_field(
        completed, "Plural-Forms",
        "nplurals=" + std::to_string(header.forms) + "; plural=" + header.rule->expression + ";");
  }
  return header;
}

}  // namespace nmt
