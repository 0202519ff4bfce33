#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "reports/report_page.h"
#include "translate/translator.h"

namespace nmt {

struct ReportRequest {
  std::filesystem::path model_dir;
  std::filesystem::path source;     // validation text; empty: that of config.yaml
  std::filesystem::path reference;  // likewise
  int64_t max_sentences = 1000;     // of it, that are translated; 0: all
  TranslatorOptions translator;     // its model_dirs are not looked at
};

/// What the files of a model directory tell. Those that are missing are told of as such: a run may
/// just have begun. Throws Error for files that are damaged.
ReportContent read_run(const std::filesystem::path& model_dir);

/// The same, and what the model makes of the validation text, where both are there. Throws Error,
/// also for a folder that holds nothing of a run.
ReportContent describe_run(const ReportRequest& request);

}  // namespace nmt
