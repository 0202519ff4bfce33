#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "corpus_check/inspection_report.h"

namespace nmt {

struct DataCheckRequest {
  InspectionRequest inspection;
  std::filesystem::path config;            // settings of the training to estimate; empty: defaults
  std::filesystem::path source_tokenizer;  // to measure the coverage of; empty: none
  std::filesystem::path target_tokenizer;
};

/// Inspects a corpus and estimates what training on it would cost. Throws Error.
DataReport check_data(const DataCheckRequest& request);

struct DataCleaningRequest {
  InspectionRequest inspection;
  std::filesystem::path output_source;
  std::filesystem::path output_target;
  std::filesystem::path dropped;  // file for dropped pairs and reasons; empty: none
  std::vector<Issue> keep;        // issues that do not drop a pair
};

/// Writes the pairs without issues. Returns a summary, a line for each issue found. Throws Error.
std::string clean_data(const DataCleaningRequest& request);

}  // namespace nmt
