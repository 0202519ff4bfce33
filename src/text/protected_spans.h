#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

enum class SpanKind {
  kUrl,
  kEmail,
  kEmoji,
  kNumber,
  kBlank,
  kTag,
  kCopied,  // given by the caller, such as a placeholder; no other text has it
};

/// Part of a text that a translation should copy unchanged.
struct ProtectedSpan {
  SpanKind kind = SpanKind::kUrl;
  size_t begin = 0;  // in bytes
  size_t end = 0;
};

/// The URLs, e-mail addresses, emoji, numbers, blanks and tags of a UTF-8 text, in order. Marks at
/// the end of a URL belong to the sentence; 200 letters and digits or more without a space, as in
/// base64, count as one. Tags are @name and #topic, unlike "#1" and "C#", and citations such as
/// [12], [3, 4] and the raised ¹ and ²³ after a word. A blank to fill in or dot leader is a run of
/// at least two '_', four '.' or two '…'; directly before or after a letter, number or dot, or
/// directly after '!', '?' or '~', two '_' do not count, and fewer than ten dots are an ellipsis. A
/// number is a run of digits of any script with the separators between them, such as 3,500.75,
/// 1'234'567, 12:30 and 27–38, a telephone or card number such as 06 12 34 56 78 and a price such
/// as 44 607 €; those joined to letters of an alphabet with case, such as B12, do not count, unless
/// these are a unit, such as 42kg, or both are an identifier with capitals and three digits or
/// more, such as A4711 and INV-2024-0815.
std::vector<ProtectedSpan> find_protected_spans(std::string_view text);

/// Whether a placeholder stands for a whole number, such as %d, %1$d, %(count)s and {count}.
bool is_number_placeholder(std::string_view text);

/// Whether a word has a capital only because it begins a sentence, unlike a name.
using BeginsSentence = std::function<bool(std::string_view word)>;

/// Bytes of the marks that begin a list item, quoted line, footnote or transcript, such as "-",
/// "•", "> >", "1)", "1.)", "iv)", "[1]", "[ ]" and "[12:30]", and of a leading "..." or "[...]".
/// White space and text must follow; after "..." the white space may be missing. 0 if there are no
/// marks, or no letters in or after them. "1." and "V." count only before a script without case, or
/// a word that begins a sentence, capitalized or not.
size_t list_mark_length(std::string_view sentence, const BeginsSentence& begins_sentence = {});

/// Byte offset of the footnotes such as [2] or *, and dashes, that directly follow the final
/// sentence mark and closing quotes; the sentence's size if there are none, or if the last "*" ends
/// emphasis.
size_t footnotes_begin(std::string_view sentence);

/// Whether it is a superscript digit, such as ².
bool is_superscript_digit(char32_t code);

/// The end of the note mark, such as *, ¹², [2] and (a), or dashes that begin at `at`, or `at`.
size_t note_mark_end(std::u32string_view text, size_t at);

/// Whether it is a direction mark, zero-width space, joiner or variation selector.
bool is_invisible(char32_t code);

/// The text without white space and invisible characters at its ends, except those that belong to
/// the character before them: joiners and variation selectors.
std::string without_invisible_ends(std::string_view text);

/// The end of the emoji that begin at `at`, or `at`.
size_t emoji_end(std::u32string_view text, size_t at);

/// Units that are one character, which vocabularies may spell with several: ㎏ as kg.
inline constexpr std::u32string_view kUnitSigns = U"℃℉㎏㎞㎝㎜㎡㎥";

/// A number with the sign of its currency or unit and the letters that belong to that, such as
/// US$ 5 and 30 °C.
struct SignedNumber {
  char32_t sign = 0;
  size_t begin = 0;  // in bytes
  size_t end = 0;
};

/// Finds a currency sign (Unicode category Sc) before or after the number, or a percent, per mille,
/// degree or unit sign such as ㎏ after it, possibly separated by a space. The result begins at
/// byte `from` or later.
std::optional<SignedNumber> find_signed_number(std::string_view text, const ProtectedSpan& number,
                                               size_t from);

/// The end of the measurement whose number ends at byte `at`, as in 3 kg, 5 m²,
/// 80 km/h and 12 x 24 cm: a unit in Latin letters, an "x" before the next number; `at` if there is
/// neither.
size_t measurement_end(std::string_view text, size_t at);

/// The start, at byte `from` or later, of the sign before the number at byte `at`, such as + and #,
/// or ± and ≥, which a space may follow; `at` if there is none. The sign begins the text or follows
/// white space or a round bracket.
size_t sign_begin(std::string_view text, size_t at, size_t from);

}  // namespace nmt
