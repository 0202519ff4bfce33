#include "text/sentence_key.h"

#include <utf8proc.h>

#include <algorithm>
#include <vector>

#include "numbers/mix_bits.h"

namespace nmt {
namespace {

constexpr auto kFoldOptions = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                                             UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);

constexpr size_t kLongestRun = 4096;  // maximum bytes decomposed at once

bool is_ascii_byte(char c) { return (c & 0x80) == 0; }

/// The run of non-ASCII bytes from `begin`, up to about kLongestRun, without splitting a character.
std::string_view foreign_run(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && !is_ascii_byte(text[end])) {
    const bool starts_character = (text[end] & 0x40) != 0;
    if (end - begin >= kLongestRun && starts_character) break;
    ++end;
  }
  return text.substr(begin, end - begin);
}

/// Decomposes in canonical order, so results are equal if the NFKC forms are. False for invalid
/// UTF-8.
bool decompose(std::string_view run, std::vector<utf8proc_int32_t>& codes) {
  codes.resize(std::max(codes.size(), 2 * run.size()));
  while (true) {
    const auto count =
        utf8proc_decompose(reinterpret_cast<const utf8proc_uint8_t*>(run.data()),
                           static_cast<utf8proc_ssize_t>(run.size()), codes.data(),
                           static_cast<utf8proc_ssize_t>(codes.size()), kFoldOptions);
    if (count < 0) return false;
    const auto size = static_cast<size_t>(count);
    const bool fits = size <= codes.size();
    codes.resize(size);
    if (fits) return true;
  }
}

class KeyBuilder {
 public:
  void add_ascii(char c) {
    const bool upper = c >= 'A' && c <= 'Z';
    const char lower = upper ? static_cast<char>(c - 'A' + 'a') : c;
    if ((lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9')) take(lower);
    previous_ = static_cast<unsigned char>(c);
  }

  /// Counts letters (L*), numbers (N*) and marks (M*), except what is used as an apostrophe: marks
  /// on a space (a stand-alone acute accent) and U+02BC, which is a letter.
  void add(utf8proc_int32_t code) {
    const auto category = utf8proc_category(code);
    const bool counts = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_NO;
    const bool is_mark = category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
    const bool is_apostrophe = (is_mark && previous_ == ' ') || code == 0x2BC;
    if (counts && !is_apostrophe) take(code);
    previous_ = code;
  }

  uint64_t key() const { return key_; }

 private:
  void take(utf8proc_int32_t code) { key_ = mix_bits(key_ + static_cast<uint64_t>(code)); }

  uint64_t key_ = 0;
  utf8proc_int32_t previous_ = 0;
};

}  // namespace

uint64_t sentence_key(std::string_view sentence) {
  KeyBuilder builder;
  std::vector<utf8proc_int32_t> codes;
  for (size_t at = 0; at < sentence.size();) {
    if (is_ascii_byte(sentence[at])) {
      builder.add_ascii(sentence[at++]);
      continue;
    }
    const auto run = foreign_run(sentence, at);
    if (!decompose(run, codes)) return 0;
    for (const auto code : codes) builder.add(code);
    at += run.size();
  }
  return builder.key();
}

void HeldOutSentences::insert(std::string_view sentence) {
  const auto key = sentence_key(sentence);
  if (key != 0 && keys_.insert(key).second) digest_ += mix_bits(key);
}

}  // namespace nmt
