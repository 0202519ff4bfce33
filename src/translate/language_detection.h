#pragma once

#include <string>
#include <vector>

#include "translate/languages.h"

namespace nmt {

/// A language with the probability, or the share of the text, that is in it.
struct LanguageShare {
  std::string code;
  double share = 0.0;
};

/// The share of each language in the bytes of the text, line by line by CLD2, which overlooks short
/// parts of a whole text; largest first. What they lack to 1 is in other languages.
/// Equal shares for a text without letters. Safe for several threads.
std::vector<LanguageShare> detect_languages(const std::string& text,
                                            const std::vector<std::string>& codes);

/// Whether most of the text is in that one of the languages, as detect_languages() finds.
bool is_in(const std::string& text, const std::string& language,
           const std::vector<std::string>& codes);

/// Whether CLD2 can distinguish the two languages.
bool can_distinguish(const Direction& direction);

/// Puts the largest share first, and equal ones in the order that they have.
void sort_shares(std::vector<LanguageShare>& languages);

}  // namespace nmt
