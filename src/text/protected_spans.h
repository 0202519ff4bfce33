#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace nmt {

enum class SpanKind { kUrl, kEmail, kEmoji, kNumber };

/// Part of a text that a translation takes over as it is.
struct ProtectedSpan {
  SpanKind kind = SpanKind::kUrl;
  size_t begin = 0;  // in bytes
  size_t end = 0;
};

/// The URLs, e-mail addresses, emoji and numbers of a UTF-8 text, in order. Marks at the end of a
/// URL belong to the sentence. A number is a run of digits with the separators between them, such
/// as 3,500.75, 1'234'567 and 12:30; those joined to letters of an alphabet with case, such as B12,
/// do not count, unless these are a unit, such as 42kg.
std::vector<ProtectedSpan> find_protected_spans(std::string_view text);

/// Bytes of the marks with which a list item or quoted line begins, such as "-", "•", "> >" and
/// "1)"; 0 if it has none, or no letters in or after them. White space and text follow them. A
/// number with a full stop is one before a script without case only.
size_t list_mark_length(std::string_view sentence);

/// Where the footnotes such as [2] begin that stand directly after the mark that ends a sentence;
/// or its end.
size_t footnotes_begin(std::string_view sentence);

/// Marks of direction, zero-width spaces and joiners.
bool is_invisible(char32_t code);

/// The end of the emoji that begin at `at`, or `at`.
size_t emoji_end(std::u32string_view text, size_t at);

/// A number with the sign of its currency or unit and the letters that belong to that, such as
/// US$ 5 and 30 °C.
struct SignedNumber {
  char32_t sign = 0;
  size_t begin = 0;  // in bytes
  size_t end = 0;
};

/// The sign of a currency (Unicode category Sc) before or after a number of the text, or percent,
/// per mille or degrees after it; a space may stand between. It begins at the byte `from` or later.
std::optional<SignedNumber> find_signed_number(std::string_view text, const ProtectedSpan& number,
                                               size_t from);

}  // namespace nmt
