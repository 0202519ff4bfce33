#pragma once

#include <string>
#include <vector>

#include "translate/languages.h"

namespace nmt {

/// A language and its probability, or its share of a text.
struct LanguageShare {
  std::string code;
  double share = 0.0;
};

/// The share of each language in the bytes of the text, largest first. The rest up to 1 is in other
/// languages. Runs CLD2 line by line, since it overlooks short parts of a longer text. URLs and
/// e-mail addresses do not count. Equal shares if it finds nothing, e.g. without letters.
/// Thread-safe.
std::vector<LanguageShare> detect_languages(const std::string& text,
                                            const std::vector<std::string>& codes);

/// Whether detect_languages() finds most of the text to be in `language`, one of `codes`.
bool is_in(const std::string& text, const std::string& language,
           const std::vector<std::string>& codes);

/// Whether CLD2 can find the language.
bool is_detected(const std::string& code);

/// Whether CLD2 can distinguish the two languages.
bool can_distinguish(const Direction& direction);

/// Sorts stably, largest share first.
void sort_shares(std::vector<LanguageShare>& languages);

}  // namespace nmt
