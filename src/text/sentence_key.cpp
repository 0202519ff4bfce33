#include "text/sentence_key.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "numbers/mix_bits.h"

namespace nmt {
namespace {

constexpr auto kFoldOptions = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                                             UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);

class KeyBuilder {
 public:
  void add(uint64_t code) { key_ = mix_bits(key_ + code); }
  uint64_t key() const { return key_; }

 private:
  uint64_t key_ = 0;
};

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

uint64_t ascii_key(std::string_view text) {
  KeyBuilder builder;
  for (const char c : text) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool counts = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (counts) builder.add(static_cast<unsigned char>(lower));
  }
  return builder.key();
}

/// Decomposed in canonical order: equal where the composed form (NFKC) is. Empty for bad UTF-8.
std::vector<utf8proc_int32_t> folded_codes(std::string_view text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  std::vector<utf8proc_int32_t> codes(2 * text.size());
  while (true) {
    const auto count =
        utf8proc_decompose(bytes, static_cast<utf8proc_ssize_t>(text.size()), codes.data(),
                           static_cast<utf8proc_ssize_t>(codes.size()), kFoldOptions);
    const auto size = static_cast<size_t>(std::max<utf8proc_ssize_t>(count, 0));
    const bool fits = size <= codes.size();
    codes.resize(size);
    if (fits) return codes;
  }
}

/// Letters (L*), numbers (N*) and marks (M*), but for those of spaces: an acute accent that stands
/// alone is an apostrophe.
bool has_meaning(utf8proc_int32_t code, utf8proc_int32_t previous) {
  const auto category = utf8proc_category(code);
  const bool is_mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
  if (is_mark) return previous != ' ';
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
}

}  // namespace

uint64_t sentence_key(std::string_view sentence) {
  if (is_ascii(sentence)) return ascii_key(sentence);
  KeyBuilder builder;
  utf8proc_int32_t previous = 0;
  for (const auto code : folded_codes(sentence)) {
    if (has_meaning(code, previous)) builder.add(static_cast<uint64_t>(code));
    previous = code;
  }
  return builder.key();
}

void HeldOutSentences::insert(std::string_view sentence) {
  const auto key = sentence_key(sentence);
  if (key != 0 && keys_.insert(key).second) digest_ += mix_bits(key);
}

}  // namespace nmt
