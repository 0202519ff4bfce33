#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "corpus_check/inspection_report.h"

namespace nmt {

struct DataCheckRequest {
  InspectionRequest inspection;
  std::filesystem::path config;            // of the training to estimate; empty: default settings
  std::filesystem::path source_tokenizer;  // whose coverage is measured; empty: not measured
  std::filesystem::path target_tokenizer;
};

/// Inspects a corpus and estimates what training on it would cost. Throws Error.
DataReport check_data(const DataCheckRequest& request);

struct DataCleaningRequest {
  InspectionRequest inspection;
  std::filesystem::path output_source;
  std::filesystem::path output_target;
  std::filesystem::path dropped;  // what was dropped and why; empty: not written
  std::vector<Issue> keep;        // issues that no pair is dropped for
};

/// Writes the pairs without issues. Returns a summary, a line for each issue found. Throws Error.
std::string clean_data(const DataCleaningRequest& request);

}  // namespace nmt
