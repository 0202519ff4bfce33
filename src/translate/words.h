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

/// Word attention of a part, [target words, source words]: the mean over a target word's tokens of
/// the sum over a source word's tokens, without Words::is_mark: words attend to the full stop where
/// they need nothing of the source. Each row sums to 1, or 0. The first column is the source word
/// `source.of_token[first_source]`. `attention`: [target tokens, num_source], with columns for the
/// source tokens from `first_source`.
std::vector<std::vector<float>> word_attention(const std::vector<std::vector<float>>& attention,
                                               const Words& source, size_t first_source,
                                               size_t num_source, const Words& target);

/// Smaller differences of attention are rounding errors: the first of equal words counts.
inline constexpr float kAttentionTolerance = 1e-4F;

/// Stands for an unknown piece in a translation's words, until they are copied from the source.
inline constexpr char32_t kUnknownMark = U'⁇';

/// The index of the largest weight of a row.
size_t strongest(const std::vector<float>& row);

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
