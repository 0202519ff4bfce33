#pragma once

#include <cstddef>
#include <string>

namespace nmt {

/// Which form of a message a language uses for which number.
struct PluralRule {
  const char* languages;   // codes between spaces, such as " de pt "; a region follows "_"
  size_t forms;            // nplurals
  const char* expression;  // the form of the number n, in C
  size_t singular;         // the form of the number 1
  bool only_one;           // no other number has that form
};

/// The rule for a code such as "de", "pt_BR" or "zh-TW"; nullptr if the language is not listed.
const PluralRule* find_plural_rule(const std::string& language);

}  // namespace nmt
