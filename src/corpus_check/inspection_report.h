#pragma once

#include <optional>
#include <string>

#include "corpus_check/corpus_inspection.h"
#include "corpus_check/training_estimate.h"
#include "corpus_check/vocabulary_coverage.h"

namespace nmt {

/// All that `nmt data check` finds out.
struct DataReport {
  CorpusFiles corpus;
  CorpusInspection inspection;
  std::optional<VocabularyCoverage> source_coverage;
  std::optional<VocabularyCoverage> target_coverage;
  TrainingEstimate estimate;
};

/// For people, lines of at most 100 columns.
std::string to_text(const DataReport& report);

/// One JSON object.
std::string to_json(const DataReport& report);

}  // namespace nmt
