#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "attention_views/attention_matrix.h"
#include "config/settings.h"
#include "metrics/breakdown.h"
#include "translate/translator.h"

namespace nmt {

/// Evaluation of a model on a validation text.
struct ValidationStudy {
  double bleu = 0.0;
  double chrf = 0.0;
  double ter = 0.0;
  std::vector<TranslatedSentence> sentences;  // by increasing chrF2
  std::vector<LengthGroup> lengths;
  std::vector<ConfidenceGroup> confidences;  // empty without confidence
  double confidence_correlation = 0.0;       // Pearson, with sentence chrF2
  std::vector<FrequencyGroup> frequencies;   // empty for the reason in `why_no_frequencies`
  std::string why_no_frequencies;

  /// A few sentences with their attention, in the order of the text.
  struct Drawn {
    TranslatedSentence sentence;
    AttentionMatrix attention;
  };
  std::vector<Drawn> drawn;
};

struct StudyTexts {
  std::filesystem::path source;
  std::filesystem::path reference;
  DataConfig training;           // of the run, for word frequencies; its files may be missing
  int64_t max_sentences = 1000;  // lines used at most; 0: all
};

/// Translates the lines that have a reference. Throws Error for unreadable files, unequal line
/// counts and a text without references.
ValidationStudy study_validation(const Translator& translator, const StudyTexts& texts);

}  // namespace nmt
