#include "attention_views/attention_matrix.h"

namespace nmt {
namespace {

// With more tokens per word, the language counts as written without spaces.
constexpr size_t kMaxTokensPerWord = 6;
// Larger matrices are not readable.
constexpr size_t kMaxCells = 250000;

bool has_words(const std::vector<std::string>& words, const std::vector<std::string>& tokens) {
  return words.size() * kMaxTokensPerWord >= tokens.size();
}

}  // namespace

AttentionMatrix attention_matrix(const Translation& translation) {
  const auto& best = translation.candidates.front();
  const bool in_parts = best.attention.empty();  // tokens of a long line have no common matrix
  if (in_parts || (has_words(translation.source_words, translation.source_tokens) &&
                   has_words(best.words, best.tokens))) {
    const bool too_many = translation.source_words.size() * best.words.size() > kMaxCells;
    if (too_many || best.word_attention.empty()) return {};
    return {translation.source_words, best.words, best.word_attention};
  }
  if (translation.source_tokens.size() * best.tokens.size() > kMaxCells) return {};
  auto weights = best.attention;
  weights.resize(best.tokens.size());  // without EOS
  return {translation.source_tokens, best.tokens, weights};
}

}  // namespace nmt
