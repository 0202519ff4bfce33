#include "markup/placeholder.h"

#include <algorithm>
#include <cctype>

#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kNames =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
constexpr size_t kMaxBraces = 1000;  // bytes
constexpr size_t kMinName = 3;       // letters of %name; fewer may be a directive, such as %ld

/// Where the directives of printf differ between programming languages.
struct DirectiveGrammar {
  std::string_view flags;
  std::string_view after_index;
  std::string_view sizes;
  std::string_view conversions;
};

// A space, which is a flag too, is more likely to end a percentage.
constexpr DirectiveGrammar kProse = {"-+#0'", "$", "hlqLjzt", "bdiouxXeEfFgGaAcCsSpnmr@"};
// A message that is marked as a format has only valid directives, such as %,d and %tY of Java, %2:s
// of Pascal, %q of Lua and %2% of Boost.
constexpr DirectiveGrammar kMarked = {"-+#0',", "$:", "hlqLjztT",
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@%"};

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
  /// A name between two characters; without one, reads nothing and returns "".
  std::string_view take_name(std::string_view open, std::string_view close) {
    auto inner = *this;
    const bool opens = inner.take_one(open);
    const size_t begin = inner.at_;
    if (!opens || !inner.take_all(kNames) || !inner.take_one(close)) return "";
    *this = inner;
    return text_.substr(begin, at_ - 1 - begin);
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

/// After the percent sign: name or index, flags, width, precision, size and conversion of printf.
size_t directive_length(std::string_view text, bool is_marked) {
  const auto& grammar = is_marked ? kMarked : kProse;
  Scanner scanner(text);
  if (scanner.take_one("%")) return 1;
  const bool has_bars = is_marked && scanner.take_one("|");  // Boost's %|1$d|
  if (scanner.take_name("(", ")").empty()) {
    auto index = scanner;
    if (index.take_all(kDigits) && index.take_one(grammar.after_index)) scanner = index;
  }
  const auto take_width = [&] {
    scanner.take_all(grammar.flags);
    if (!scanner.take_one("*")) scanner.take_all(kDigits);
    if (scanner.take_one(".") && !scanner.take_one("*")) scanner.take_all(kDigits);
  };
  take_width();
  if (const auto name = scanner.take_name("<", ">"); !name.empty()) {
    if (begins_with(name, "PRI")) return scanner.at();  // C's %<PRIu64>
    take_width();                                       // Ruby's %<price>.2f
  } else if (is_marked) {
    scanner.take_one("<");  // Java's %<s: the argument before
  }
  const bool has_i = scanner.take_one("I");
  if (has_i) scanner.take_all(kDigits);  // %I64d of Windows
  const bool has_size = scanner.take_all(grammar.sizes);
  // What is a size in C is a conversion elsewhere, such as %q, and the hour %I of strftime.
  const bool is_complete =
      scanner.take_one(grammar.conversions) || (is_marked && (has_size || has_i));
  return is_complete && (!has_bars || scanner.take_one("|")) ? scanner.at() : 0;
}

/// Of Lisp and Scheme: parameters, flags and conversion.
size_t tilde_length(std::string_view text) {
  Scanner scanner(text);
  scanner.take_all("0123456789,:@'");
  return scanner.take_one(kLetters) || scanner.take_one("~%&") ? scanner.at() + 1 : 0;
}

/// Of @name, !name or :name.
size_t name_length(std::string_view text) {
  Scanner name(text);
  if (!name.take_one(kLetters)) return 0;
  name.take_all(kNames);
  return name.at() + 1;
}

/// Of --option or --option=VALUE.
size_t option_length(std::string_view text) {
  Scanner option(text);
  if (!option.take_one("-") || !option.take_one("-") || !option.take_one(kLetters)) return 0;
  while (option.take_all(kNames) || option.take_one("-=")) {
  }
  return option.at();
}

size_t percent_length(std::string_view text, bool is_marked) {
  Scanner name(text);  // Drupal's
  if (!is_marked && name.take_all(kLetters) && name.at() >= kMinName) {
    name.take_all(kNames);
    return name.at() + 1;
  }
  if (const size_t length = directive_length(text, is_marked); length > 0) {
    const bool is_percentage = text.front() != '%' && begins_with(text.substr(length), "%%");
    return length + (is_percentage ? 3 : 1);  // "%d%%" is one
  }
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

/// The length of a placeholder with the percent sign after it, as in "{0}%", unless that begins
/// another one.
size_t with_percent_sign(std::string_view text, size_t length) {
  if (length == 0 || text.substr(length, 1) != "%") return length;
  const auto after = text.substr(length + 1, 1);
  return after.empty() || !is_of(after[0], "%({-+#0123456789") ? length + 1 : length;
}

/// Length of a placeholder that cannot be prose.
size_t certain_placeholder_length(std::string_view text) {
  if (begins_with(text, "{{")) return braces_length(text);
  if (begins_with(text, "${")) return dollar_length(text.substr(1));
  if (!begins_with(text, "%")) return 0;
  Scanner position(text.substr(1));
  const bool is_named = begins_with(text, "%(");  // else %1$s
  if (!is_named && !(position.take_all(kDigits) && position.take_one("$"))) return 0;
  const size_t length = directive_length(text.substr(1), false);
  return length == 0 ? 0 : length + 1;
}

/// Whether a name such as @user may follow, as it may not in a@b, a::b and http://.
bool begins_word(std::string_view before) {
  if (before.empty()) return true;
  const auto code = last_code(before);
  return is_whitespace(code) || is_one_of(code, U"([{<>|\"'`„“‚‘«»");
}

/// As placeholder_length_at(), without the colon after a label.
size_t length_within(std::string_view text, size_t at, std::string_view directives) {
  const auto rest = text.substr(at);
  const size_t length = placeholder_length(rest, directives);
  if (length < 2 || at == 0) return length;
  if (is_one_of(rest.front(), U"@!:-")) return begins_word(text.substr(0, at)) ? length : 0;
  const auto is_letter_of_word = [&](size_t i) {
    const char c = i < rest.size() ? rest[i] : ' ';
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || static_cast<signed char>(c) < 0;
  };
  const bool is_name = is_letter_of_word(1) && is_letter_of_word(2) && is_letter_of_word(3);
  // A space, also U+00A0 or U+202F, may divide number and sign.
  const size_t number = text.find_last_not_of(" \u00A0\u202F", at - 1);
  const bool is_percentage = number < at &&
                             std::isdigit(static_cast<unsigned char>(text[number])) != 0 &&
                             (rest[1] == '-' || rest[1] == '<' || is_letter_of_word(1)) &&
                             (is_name || is_letter_of_word(length)) && rest.front() == '%' &&
                             directives.find('%') == std::string_view::npos;
  return is_percentage ? 0 : length;
}

}  // namespace

size_t placeholder_length(std::string_view text, std::string_view directives) {
  if (text.empty()) return 0;
  const auto rest = text.substr(1);
  switch (text.front()) {
    case '%':
      return percent_length(rest, is_of('%', directives));
    case '{':
      return with_percent_sign(text, braces_length(text));
    case '$':
      return dollar_length(rest);
    case '&':
      return reference_length(rest);
    case '~':
      return is_of('~', directives) ? tilde_length(rest) : 0;
    case '@':
    case '!':
    case ':':
      return name_length(rest);
    case '-':
      return option_length(text);
    default:
      return 0;
  }
}

size_t placeholder_length_at(std::string_view text, size_t at, std::string_view directives) {
  const size_t length = length_within(text, at, directives);
  const bool is_label = length > 1 && text.substr(at + length, 2) == ": ";
  return length + (is_label ? 1 : 0);
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

size_t attributes_length(std::string_view text) {
  const size_t end = text.substr(0, kMaxBraces).find_first_of("}\n");
  if (!begins_with(text, "{") || end >= text.size() || text[end] != '}') return 0;
  const auto inside = text.substr(1, end - 1);
  const size_t name = std::min(inside.find_first_of("= "), inside.size());
  const bool begins = inside.size() > 1 && is_of(inside.front(), "#.:");
  const bool is_value = name > 0 && name < inside.size() && inside[name] == '=';
  return begins || is_value ? end + 1 : 0;
}

std::vector<std::string_view> placeholders(std::string_view text, std::string_view directives) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const size_t length = placeholder_length(text, directives);
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
    const size_t length = first == '%'   ? 1 + directive_length(rest.substr(1), true)
                          : first == '~' ? tilde_length(rest.substr(1))
                                         : braces_length(rest);
    const auto directive = rest.substr(0, length);
    const auto names_argument = [&] {
      return directive[1] == '(' || is_of('$', directive) ||
             (is_of('<', directive) && directive.back() != '>');
    };
    const bool takes_next = directive.size() > 1 &&
                            (first == '{' ? is_of(directive[1], "}:!")
                                          : !is_of(directive.back(), "m%&|") && !names_argument());
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
