#pragma once

#include <cstdint>
#include <filesystem>

#include "reports/report_page.h"
#include "translate/translator.h"

namespace nmt {

struct ReportRequest {
  std::filesystem::path model_dir;
  std::filesystem::path source;     // validation text; empty: the one in config.yaml
  std::filesystem::path reference;  // likewise
  int64_t max_sentences = 1000;     // to translate; 0: all
  TranslatorOptions translator;     // model_dirs is ignored
};

/// Reads the files of a model directory. The content says which files are missing, since a run may
/// have just started. Throws Error for damaged files.
ReportContent read_run(const std::filesystem::path& model_dir);

/// As read_run, and evaluates the model on the validation text if both exist. Throws Error, also
/// for a folder without a run.
ReportContent describe_run(const ReportRequest& request);

}  // namespace nmt
