#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/words.h"
#include "translate/translator.h"

namespace nmt {

/// Log-probabilities of words, each the sum over its tokens. Ignores values after the last token,
/// such as EOS.
std::vector<double> word_log_probabilities(const std::vector<float>& token_log_probabilities,
                                           const Words& words);

/// The attention of a part's translation to the source tokens of the part.
struct PartAttention {
  const std::vector<std::vector<float>>& rows;  // [target tokens, num_tokens]; empty without any
  const Words& source;                          // of the whole line
  size_t first_token;                           // of the part, in the line
  size_t num_tokens;
};

/// Word attention of a part, [target words, source words]: the mean over a target word's tokens of
/// the sum over a source word's tokens, without Words::is_mark: words attend to the full stop where
/// they need nothing of the source. Each row sums to 1, or 0. The first column is the source word
/// of the part's first token.
std::vector<std::vector<float>> word_attention(const PartAttention& attention, const Words& target);

/// Smaller differences of attention are rounding errors: the first of equal words counts.
inline constexpr float kAttentionTolerance = 1e-4F;

/// Stands for an unknown piece in a translation's words, until they are copied from the source.
inline constexpr char32_t kUnknownMark = U'⁇';

/// The index of the largest weight of a row.
size_t strongest(const std::vector<float>& row);

inline WordLink word_link(size_t source, size_t target) {
  return {static_cast<int64_t>(source), static_cast<int64_t>(target)};
}

/// Links each target word (row) to the source word (column) with the most attention.
std::vector<WordLink> strongest_links(const std::vector<std::vector<float>>& attention);

/// The decimal digits of the text, in ASCII.
std::string digits_of(std::string_view text);

/// Whether the range is not within a longer word of a script with spaces. Korean particles may
/// follow it directly.
bool is_whole_term(std::string_view text, size_t begin, size_t end);

/// Replaces the core of a word: its first to its last character for which `is_core` holds. If it
/// has no core, `core` is put in front of the word.
std::string with_core(const std::string& word, const std::string& core, bool (*is_core)(char32_t));

}  // namespace nmt
