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
  bool refuses_documents = false;      // a text that begins as a document is an error
  int64_t mbr_candidates = 0;          // translate/minimum_bayes_risk.h; 0: no MBR decoding
  OutputFormat format;                 // complete() derives some of its fields from `options`
  std::filesystem::path input = "-";   // "-": standard input
  std::filesystem::path output = "-";  // "-": standard output
  std::filesystem::path alignments;    // output file; empty: none
  GuideFiles guides;                // references select candidates (translate/nearest_candidate.h)
  std::filesystem::path attention;  // output page, picture or JSON file; empty: none
  Shard shard;
  bool restart = false;     // discard the parts of an interrupted translation
  JobDescription settings;  // options that determine the output; must be equal to resume
};

/// Whether the input's name is that of a .docx or .odt file.
bool is_office_input(const TranslationRequest& request);

/// Whether the input is translated as a whole, with its markup.
bool is_document(const TranslationRequest& request);

/// Sets the translation options that the requested outputs need. Throws UsageError for options that
/// are out of range or do not combine.
void complete(TranslationRequest& request);

/// Whether an interrupted translation can be resumed: only line by line, from a file to an
/// uncompressed file, without --attention.
bool is_resumable(const TranslationRequest& request);

/// Translates the input line by line, or as a document with its markup. Throws Error. The request
/// must be complete. A signal that catch_interrupts() caught ends the program.
void translate_text(const TranslationRequest& request);

}  // namespace nmt
