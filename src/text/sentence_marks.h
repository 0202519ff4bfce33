#pragma once

#include <string_view>

namespace nmt {

/// Marks that end a sentence if white space follows: of Latin, Cyrillic, Greek (U+037E; also
/// written as a semicolon), Arabic, Urdu, Hindi, Armenian, Amharic and Tibetan text.
inline constexpr std::u32string_view kNarrowSentenceMarks = U".!?\u037E…‼⁇⁈⁉؟۔।॥։።፧།";

/// Marks that end a sentence even without white space after them: of Chinese, Japanese, Burmese and
/// Khmer text.
inline constexpr std::u32string_view kWideSentenceMarks = U"。！？｡．။។៕";

/// Marks of footnotes that are written without brackets.
inline constexpr std::u32string_view kNoteMarks = U"*†‡⁰¹²³⁴⁵⁶⁷⁸⁹";

inline bool is_wide_sentence_mark(char32_t code) {
  return kWideSentenceMarks.find(code) != std::u32string_view::npos;
}

inline bool is_sentence_mark(char32_t code) {
  return kNarrowSentenceMarks.find(code) != std::u32string_view::npos ||
         is_wide_sentence_mark(code);
}

}  // namespace nmt
