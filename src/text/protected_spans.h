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
/// as 3,500.75 and 12:30; those joined to letters of an alphabet with case, such as B12, do not
/// count.
std::vector<ProtectedSpan> find_protected_spans(std::string_view text);

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
