#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "corpus_check/inspection_report.h"

namespace nmt {

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
  std::vector<Issue> keep;        // issues that do not drop a pair
};

/// Writes the pairs without issues, and those that can be repaired. Returns a summary, a line for
/// each issue found. Throws Error.
std::string clean_data(const DataCleaningRequest& request);

}  // namespace nmt
