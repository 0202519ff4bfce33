#include "explain/omission.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "errors/error.h"
#include "explain/word_vectors.h"
#include "text/target_languages.h"
#include "translate/text_scoring.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

std::string joined_without(std::vector<std::string> words, size_t omitted) {
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(omitted));
  return joined_words(words);
}

void require_words(const std::vector<Translation>& scored, size_t num_words) {
  const auto& whole = scored.front().candidates.front();
  if (whole.words.empty()) throw Error("the translation is empty; use another one");
  const bool told = std::all_of(scored.begin(), scored.end(),
                                [&](const Translation& one) {
                                  return one.candidates.front().words.size() == whole.words.size();
                                }) &&
                    scored.front().source_words.size() == num_words;
  if (told) return;
  throw Error(
      "the words of the sentence or of its translation cannot be recovered from the model's "
      "tokens; remove unusual characters");
}

void add_losses(const std::vector<Translation>& scored, Omissions& result) {
  const auto& whole = scored.front().candidates.front();
  result.word_losses.assign(whole.word_log_probabilities.size(), {});
  for (size_t i = 0; i < result.source_words.size(); ++i) {
    const auto& shortened = scored[i + 1].candidates.front();
    if (!std::isfinite(shortened.log_probability)) {
      throw Error("without " + printable(result.source_words[i]) +
                  " the model has nothing to read; use a longer sentence");
    }
    result.losses.push_back(whole.log_probability - shortened.log_probability);
    for (size_t t = 0; t < result.word_losses.size(); ++t) {
      result.word_losses[t].push_back(whole.word_log_probabilities[t] -
                                      shortened.word_log_probabilities[t]);
    }
  }
}

void add_attention(const TranslationCandidate& whole, Omissions& result) {
  if (whole.word_attention.empty()) return;
  result.mean_attention.assign(result.source_words.size(), 0.0);
  for (size_t t = 0; t < whole.word_attention.size(); ++t) {
    const auto& weights = result.attention.emplace_back(whole.word_attention[t].begin(),
                                                        whole.word_attention[t].end());
    for (size_t i = 0; i < weights.size(); ++i) {
      result.mean_attention[i] += weights[i] / static_cast<double>(whole.word_attention.size());
    }
  }
}

}  // namespace

Omissions measure_omissions(const Translator& translator, const std::string& sentence,
                            const std::optional<std::string>& translation) {
  const bool named = !translator.target_languages().empty();
  const auto [language, text] = named ? split_marker(sentence) : MarkedLine{"", sentence};
  const auto marker = language_marker(language);
  const auto words = words_to_explain(std::string(text));
  if (words.size() < 2) {
    throw Error("the sentence has one word; use 2 to 32 words with spaces between them");
  }
  Omissions result;
  result.source = joined_words(words);
  result.translation =
      translation
          ? *translation
          : translator.translate({marker + result.source}, options_as_scored()).front().text;
  std::vector<std::string> sources = {marker + result.source};
  for (size_t i = 0; i < words.size(); ++i) sources.push_back(marker + joined_without(words, i));
  TranslationOptions options;
  options.words = true;
  options.batch_size = static_cast<int64_t>(sources.size());
  const auto scored = translator.force_decode(
      sources, std::vector<std::string>(sources.size(), result.translation), options);
  require_words(scored, words.size());
  const auto& whole = scored.front().candidates.front();
  result.source_words = scored.front().source_words;
  result.words = whole.words;
  result.log_probability = whole.log_probability;
  add_losses(scored, result);
  add_attention(whole, result);
  return result;
}

}  // namespace nmt
