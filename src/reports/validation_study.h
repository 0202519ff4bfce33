#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "attention_views/attention_matrix.h"
#include "reports/breakdown.h"
#include "translate/translator.h"

namespace nmt {

/// What a model makes of a validation text.
struct ValidationStudy {
  double bleu = 0.0;
  double chrf = 0.0;
  double ter = 0.0;
  std::vector<TranslatedSentence> sentences;  // by rising chrF2
  std::vector<LengthGroup> lengths;
  std::vector<FrequencyGroup> frequencies;  // none where `why_no_frequencies` says why
  std::string why_no_frequencies;

  /// A few of the sentences, in the order of the text, with the attention.
  struct Drawn {
    TranslatedSentence sentence;
    AttentionMatrix attention;
  };
  std::vector<Drawn> drawn;
};

struct StudyTexts {
  std::filesystem::path source;
  std::filesystem::path reference;
  std::vector<std::filesystem::path> training_targets;  // to know rare words by; may be missing
  int64_t max_sentences = 1000;                         // the first; 0: all
};

/// Translates the text. Throws Error for files that cannot be read or do not pair.
ValidationStudy study_validation(const Translator& translator, const StudyTexts& texts);

}  // namespace nmt
