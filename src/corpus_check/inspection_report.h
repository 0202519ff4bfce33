#pragma once

#include <optional>
#include <string>

#include "corpus_check/corpus_inspection.h"
#include "corpus_check/training_estimate.h"
#include "corpus_check/vocabulary_coverage.h"

namespace nmt {

/// The results of `nmt data check`.
struct DataReport {
  CorpusFiles corpus;
  CorpusInspection inspection;
  std::optional<VocabularyCoverage> source_coverage;
  std::optional<VocabularyCoverage> target_coverage;
  TrainingEstimate estimate;
};

/// What to do where about half of the pairs are swapped and it is unknown which half.
const char* uncertain_sides_note();

/// Text for people, at most 100 columns wide.
std::string to_text(const DataReport& report);

/// One JSON object.
std::string to_json(const DataReport& report);

}  // namespace nmt
