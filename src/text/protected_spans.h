#pragma once

#include <cstddef>
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

}  // namespace nmt
