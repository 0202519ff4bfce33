#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planning/run_history.h"
#include "reports/validation_study.h"

namespace nmt {

/// Content of the report of a model directory.
struct ReportContent {
  std::string name;
  RunHistory history;
  std::string why_no_history;                              // reason if it is empty
  std::vector<std::pair<std::string, std::string>> facts;  // names and values from training.json
  std::string settings;                                    // config.yaml
  std::string checksums;                                   // SHA256SUMS
  std::optional<ValidationStudy> study;
  std::string why_no_study;
  std::string evaluated;             // the source text of the study; empty: the validation text
  int64_t validation_beam = 1;       // beam with which training measured BLEU
  int64_t validation_sentences = 0;  // likewise, at most; 0: all
  bool live = false;                 // the run is in progress, and the page refreshes itself
  std::string limit;  // that ended the run, as flags that raise it, for the advice on
                      // what would help most; empty: no advice
};

/// A self-contained HTML page in English and Korean.
std::string report_page(const ReportContent& content);

}  // namespace nmt
