#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "corpus_check/corpus_inspection.h"
#include "corpus_check/vocabulary_coverage.h"
#include "planning/training_estimate.h"

namespace nmt {

/// The results of `nmt data check`.
struct DataReport {
  TextFiles corpus;
  CorpusInspection inspection;
  std::optional<VocabularyCoverage> source_coverage;
  std::optional<VocabularyCoverage> target_coverage;
  TrainingEstimate estimate;
};

/// Text for people, at most 100 columns wide.
std::string to_text(const DataReport& report);

/// One JSON object.
std::string to_json(const DataReport& report);

struct DataCheckRequest {
  InspectionRequest inspection;
  std::filesystem::path config;  // settings of the training to estimate; empty: defaults
};

/// Inspects a corpus, estimates what training on it would cost and measures how well the request's
/// tokenizers cover it. Throws Error.
DataReport check_data(const DataCheckRequest& request);

/// Issues by their names; "any" stands for all. Throws UsageError.
std::vector<Issue> parse_issues(const std::vector<std::string>& names);

/// Throws Error that counts the pairs with one of these issues, if there are any.
void require_none(const DataReport& report, const std::vector<Issue>& issues);

struct DataCleaningRequest {
  InspectionRequest inspection;
  std::filesystem::path output_source;
  std::filesystem::path output_target;
  std::filesystem::path dropped;  // file for dropped pairs and reasons; empty: none
};

/// Writes the pairs without issues, and those that can be repaired. Returns a summary, a line for
/// each issue found. Throws Error.
std::string clean_data(const DataCleaningRequest& request);

}  // namespace nmt
