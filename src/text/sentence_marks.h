#pragma once

namespace nmt {

/// Marks that end a sentence before white space: of Latin, Greek (U+037E; its question mark may
/// also be a semicolon) and Cyrillic, Arabic and Urdu, Hindi, Armenian, Amharic and Tibetan text.
inline constexpr std::u32string_view kNarrowSentenceMarks = U".!?\u037E…‼⁇⁈⁉؟۔।॥։።፧།";

/// Marks that end a sentence anywhere: of Chinese and Japanese, Burmese and Khmer text.
inline constexpr std::u32string_view kWideSentenceMarks = U"。！？｡．။។៕";

inline bool is_wide_sentence_mark(char32_t code) {
  return kWideSentenceMarks.find(code) != std::u32string_view::npos;
}

inline bool is_sentence_mark(char32_t code) {
  return kNarrowSentenceMarks.find(code) != std::u32string_view::npos ||
         is_wide_sentence_mark(code);
}

}  // namespace nmt
