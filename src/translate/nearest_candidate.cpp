#include "translate/nearest_candidate.h"

#include <utility>

#include "metrics/bleu.h"
#include "translate/assembly.h"

namespace nmt {

void prefer_nearest(Translation& translation, const std::string& reference, size_t num_kept) {
  const auto options = bleu_options_for({reference});
  for (auto& candidate : translation.candidates) {
    candidate.score = sentence_bleu(candidate.text, reference, options).score;
  }
  keep_highest(translation, num_kept);
}

std::vector<Translation> translate_nearest(
    const Translator& translator, const std::vector<std::string>& lines, TranslationOptions options,
    const std::vector<std::string>& references,
    const std::vector<TranslationConstraints>& constraint_list) {
  const auto num_kept = static_cast<size_t>(std::exchange(options.n_best, options.beam_size));
  options.scores = true;
  auto translations = translator.translate(lines, options, constraint_list);
  for (size_t i = 0; i < translations.size(); ++i) {
    prefer_nearest(translations[i], references[i], num_kept);
  }
  return translations;
}

}  // namespace nmt
