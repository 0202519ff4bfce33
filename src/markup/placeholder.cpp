#include "markup/placeholder.h"

#include <algorithm>

#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kNames =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
constexpr size_t kMaxBraces = 1000;  // bytes

bool is_of(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

/// Reads given characters from the beginning of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool is_at_end() const { return at_ >= text_.size(); }
  size_t at() const { return at_; }
  bool take_one(std::string_view characters) {
    if (is_at_end() || !is_of(text_[at_], characters)) return false;
    ++at_;
    return true;
  }
  /// Returns whether there is at least one.
  bool take_all(std::string_view characters) {
    const size_t begin = at_;
    at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
    return at_ > begin;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

/// Length of balanced braces with their content; 0 if that is ordinary words rather than a name, an
/// expression or a message.
size_t braces_length(std::string_view text) {
  if (text.empty() || text.front() != '{') return 0;
  size_t depth = 0;
  for (size_t at = 0; at < std::min(text.size(), kMaxBraces); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] != '}' || --depth > 0) continue;
    const auto inner = text.substr(1, at - 1);
    const bool words = inner.find_first_of(" \t\n") != std::string_view::npos &&
                       inner.find_first_of("{,") == std::string_view::npos;
    return words ? 0 : at + 1;
  }
  return 0;
}

/// After the percent sign: flags, width, precision, size and conversion of printf. A space, which
/// is a flag too, is more likely to end a percentage.
size_t directive_length(std::string_view text) {
  Scanner scanner(text);
  if (scanner.take_one("%")) return 1;
  if (scanner.take_one("(")) {
    if (!scanner.take_all(kNames) || !scanner.take_one(")")) return 0;
  } else {
    Scanner position(text);
    if (position.take_all(kDigits) && position.take_one("$")) scanner = position;
  }
  scanner.take_all("-+#0'");
  if (!scanner.take_one("*")) scanner.take_all(kDigits);
  if (scanner.take_one(".") && !scanner.take_one("*")) scanner.take_all(kDigits);
  if (scanner.take_one("<")) {  // as %<PRIu64>
    return scanner.take_all(kNames) && scanner.take_one(">") ? scanner.at() : 0;
  }
  scanner.take_all("hlqLjzt");
  return scanner.take_one("bdiouxXeEfFgGaAcCsSpnmr@") ? scanner.at() : 0;
}

size_t percent_length(std::string_view text) {
  if (const size_t length = directive_length(text); length > 0) return length + 1;
  if (const size_t length = braces_length(text); length > 0) return length + 1;
  Scanner argument(text);  // Qt's
  argument.take_one("L");
  return argument.take_all(kDigits) ? argument.at() + 1 : 0;
}

size_t dollar_length(std::string_view text) {
  if (const size_t length = braces_length(text); length > 0) return length + 1;
  Scanner name(text);
  if (!name.take_one(kLetters) && !name.take_one("_")) return 0;
  name.take_all(kNames);
  return name.at() + 1;
}

size_t reference_length(std::string_view text) {
  Scanner name(text);
  name.take_one("#");
  return name.take_all(kNames) && name.take_one(";") ? name.at() + 1 : 0;
}

/// Length of a placeholder that cannot be prose.
size_t certain_placeholder_length(std::string_view text) {
  if (begins_with(text, "{{")) return braces_length(text);
  if (begins_with(text, "${")) return dollar_length(text.substr(1));
  if (!begins_with(text, "%")) return 0;
  Scanner position(text.substr(1));
  const bool is_named = begins_with(text, "%(");
  if (!is_named && !(position.take_all(kDigits) && position.take_one("$"))) return 0;
  const size_t length = directive_length(text.substr(1));
  return length == 0 ? 0 : length + 1;
}

}  // namespace

size_t placeholder_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto rest = text.substr(1);
  switch (text.front()) {
    case '%':
      return percent_length(rest);
    case '{':
      return braces_length(text);
    case '$':
      return dollar_length(rest);
    case '&':
      return reference_length(rest);
    default:
      return 0;
  }
}

size_t instruction_length(std::string_view text) {
  if (!begins_with(text, "{%") && !begins_with(text, "<%")) return 0;
  const size_t end = text.substr(0, kMaxBraces).find(text[0] == '{' ? "%}" : "%>", 2);
  return end == std::string_view::npos ? 0 : end + 2;
}

size_t template_length(std::string_view text) {
  const size_t value = certain_placeholder_length(text);
  return value > 0 ? value : instruction_length(text);
}

std::vector<std::string_view> placeholders(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const size_t length = placeholder_length(text);
    if (length > 0) found.push_back(text.substr(0, length));
    text.remove_prefix(std::max<size_t>(1, length));
  }
  return found;
}

NextArguments next_arguments(std::string_view text, char first) {
  NextArguments found;
  for (size_t at = text.find(first); at < text.size(); at = text.find(first, at)) {
    const auto rest = text.substr(at);
    if (rest.size() > 1 && rest[1] == first) {
      at += 2;
      continue;
    }
    const auto directive =
        rest.substr(0, first == '%' ? 1 + directive_length(rest.substr(1)) : braces_length(rest));
    const bool takes_next =
        directive.size() > 1 &&
        (first == '%' ? directive[1] != '(' && directive.back() != 'm' && !is_of('$', directive)
                      : is_of(directive[1], "}:!"));
    if (takes_next) found.directives.push_back(directive);
    found.are_all = found.are_all && takes_next;
    at += std::max<size_t>(1, directive.size());
  }
  return found;
}

std::string with_argument(std::string_view directive, size_t number) {
  const auto rest = std::string(directive.substr(1));
  if (directive.front() == '{') {
    return rest.find('{') == std::string::npos ? "{" + std::to_string(number - 1) + rest : "";
  }
  // In PHP, an apostrophe is followed by a padding character.
  const bool alone = rest.find_first_of("*'") == std::string::npos;
  return alone ? "%" + std::to_string(number) + "$" + rest : "";
}

}  // namespace nmt
