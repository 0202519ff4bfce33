#include "attention_views/attention_matrix.h"

namespace nmt {
namespace {

// More tokens to a word than this, and words are whole sentences.
constexpr size_t kMostTokensPerWord = 6;
// Of a picture that anybody wants to look at.
constexpr size_t kMostCells = 250000;

bool has_words(const std::vector<std::string>& words, const std::vector<std::string>& tokens) {
  return words.size() * kMostTokensPerWord >= tokens.size();
}

}  // namespace

AttentionMatrix attention_matrix(const Translation& translation) {
  const auto& best = translation.candidates.front();
  const bool in_parts = best.attention.empty();  // tokens of a long line have no common matrix
  if (in_parts || (has_words(translation.source_words, translation.source_tokens) &&
                   has_words(best.words, best.tokens))) {
    const bool too_many = translation.source_words.size() * best.words.size() > kMostCells;
    if (too_many || best.word_attention.empty()) return {};
    return {translation.source_words, best.words, best.word_attention};
  }
  auto weights = best.attention;
  weights.resize(best.tokens.size());  // without that of the end
  return {translation.source_tokens, best.tokens, weights};
}

}  // namespace nmt
