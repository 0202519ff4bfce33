#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/words.h"
#include "translate/translator.h"

namespace nmt {

/// Log-probabilities of words: each the sum of its tokens'. What follows the last token is ignored.
std::vector<double> word_log_probabilities(const std::vector<float>& token_log_probabilities,
                                           const Words& words);

/// Attention between words of a part: a row for each target word, the mean of its tokens' rows,
/// with a weight for each source word from `source.of_token[first_source]` on, the sum over its
/// tokens. `attention` has a row for each target token and columns for the source tokens from
/// `first_source` on, `num_source` of them.
std::vector<std::vector<float>> word_attention(const std::vector<std::vector<float>>& attention,
                                               const Words& source, size_t first_source,
                                               size_t num_source, const Words& target);

/// Links each target word to the source word with the most attention, both counted from the first
/// row and column.
std::vector<WordLink> strongest_links(const std::vector<std::vector<float>>& attention);

/// The word with its core replaced: from its first to its last character for which `is_core` holds.
/// What surrounds the core stays; a word without one follows the replacement.
std::string with_core(const std::string& word, const std::string& core, bool (*is_core)(char32_t));

}  // namespace nmt
