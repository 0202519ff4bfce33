#pragma once

#include <string>
#include <string_view>

namespace nmt {

/// Whether the letter has a lower-case form that differs.
bool is_upper_case(char32_t code);

/// Whether the word has a capital and no lower-case letter but ß, which has no usual capital.
bool is_in_capitals(std::u32string_view word);

/// Python's str.upper(), but for rare ligatures: ß becomes SS.
std::string to_upper(std::string_view text);

/// The word with its first cased letter in title case and all others in lower case.
std::string to_capitalized(std::string_view word);

/// The text with the first cased letter of each word in title case and all others unchanged.
std::string to_title_case(std::string_view text);

enum class LetterCase {
  kOrdinary,
  kAllCaps,    // at least two words or one of four letters; four in five words in capitals
  kTitleCase,  // at least three words with letters, all capitalized but some of up to three
               // letters, and one after the first
};

/// The case of a text; kOrdinary in a script without case.
LetterCase letter_case_of(std::string_view text);

}  // namespace nmt
