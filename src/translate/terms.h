#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/protected_spans.h"

namespace nmt {

using TermPair = std::pair<std::string, std::string>;  // source and target

struct FoundTerm {
  size_t begin = 0;  // in bytes
  size_t end = 0;
  std::string target;
};

/// A user's terms, found in sentences. A term in lower case matches any case, and composed and
/// decomposed letters match each other. The longest match wins. Terms are not found within an
/// address or number, a compound with a hyphen or slash, or a longer word of a script without
/// spaces.
class Terms {
 public:
  Terms() = default;
  explicit Terms(std::vector<TermPair> terms);

  const std::vector<TermPair>& all() const { return terms_; }
  bool empty() const { return terms_.empty(); }

  /// The first `most` terms in the text that do not partially overlap a span. The spans' offsets
  /// are relative to `offset` bytes before the text.
  std::vector<FoundTerm> find(const std::string& written, const std::vector<ProtectedSpan>& spans,
                              size_t offset, size_t most) const;

 private:
  struct SearchedTerm {
    std::string source;
    std::string target;
    bool any_case;  // it is in lower case and matches any case
  };

  std::vector<TermPair> terms_;
  // By their first character in lower case; longest first.
  std::unordered_map<std::string, std::vector<SearchedTerm>> by_character_;
};

/// Whether the range is within a longer word of a script without spaces, where attention cannot
/// locate it. Korean has spaces, even with Chinese characters in brackets.
bool is_in_unspaced_word(std::string_view text, size_t begin, size_t end);

/// Reads a file of tab-separated source and target terms, without the white space around them.
/// Warns if a source has different translations; the first one is used. Throws Error that names
/// the line.
std::vector<TermPair> read_terms(const std::string& path);

}  // namespace nmt
