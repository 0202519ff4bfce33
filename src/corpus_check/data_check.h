#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "corpus_check/corpus_inspection.h"

namespace nmt {

/// Text for people, at most 100 columns wide.
std::string to_text(const CorpusInspection& inspection);

/// One JSON object.
std::string to_json(const CorpusInspection& inspection);

/// Issues by their names; "any" stands for all. Throws UsageError.
std::vector<Issue> parse_issues(const std::vector<std::string>& names);

/// Throws Error that counts the pairs with one of these issues, if there are any.
void require_none(const CorpusInspection& inspection, const std::vector<Issue>& issues);

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
