#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/run_history.h"
#include "reports/validation_study.h"

namespace nmt {

/// What a page tells of a model directory.
struct ReportContent {
  std::string name;
  RunHistory history;
  std::string why_no_history;                              // where there is none
  std::vector<std::pair<std::string, std::string>> facts;  // names and values, training.json's
  std::string settings;                                    // config.yaml
  std::string checksums;                                   // SHA256SUMS
  std::optional<ValidationStudy> study;
  std::string why_no_study;
  bool live = false;  // the run goes on, and the page asks for itself again and again
};

/// One HTML page that needs no other file, English and Korean.
std::string report_page(const ReportContent& content);

}  // namespace nmt
