#pragma once

#include <filesystem>

#include "formats/output_format.h"
#include "jobs/line_guides.h"
#include "jobs/shard_reader.h"
#include "jobs/translation_job.h"
#include "markup/document.h"
#include "translate/translator.h"

namespace nmt {

struct TranslationRequest {
  TranslatorOptions translator;
  TranslationOptions options;
  DocumentFormat document_format = DocumentFormat::kText;  // others: the input is one document
  int64_t mbr_candidates = 0;  // translate/minimum_bayes_risk.h; 0: the model's choice
  OutputFormat format;         // words follow from the options, and n_best where it is above 1
  std::filesystem::path input = "-";   // "-": standard input
  std::filesystem::path output = "-";  // "-": standard output
  std::filesystem::path alignments;    // empty, as those that follow: none
  GuideFiles guides;                   // of references: translate/nearest_candidate.h
  std::filesystem::path attention;     // a page, picture or JSON file
  Shard shard;
  bool restart = false;     // discard what an interrupted translation left
  JobDescription settings;  // that translations depend on; resuming requires the same
};

/// Whether the input is a word processor's file, by its name.
bool is_office_input(const TranslationRequest& request);

/// Sets the options that the outputs depend on. Throws UsageError for options that are out of range
/// or do not go together.
void complete(TranslationRequest& request);

/// Whether an interrupted translation can be resumed: of lines, from file to uncompressed file,
/// without attention.
bool is_resumable(const TranslationRequest& request);

/// Translates the input line by line, or as a document with its markup. Throws Error. The request
/// must be complete. A signal that catch_interrupts() caught ends the program.
void translate_text(const TranslationRequest& request);

}  // namespace nmt
