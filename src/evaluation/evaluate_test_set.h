#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "evaluation/evaluation_report.h"
#include "translate/translator.h"

namespace nmt {

struct EvaluationRequest {
  std::filesystem::path hypothesis;  // translations to score; empty: the model translates `source`
  std::vector<std::filesystem::path> references;  // at least one; perplexity uses the first
  std::filesystem::path source;
  std::filesystem::path translations;  // output file for the model's translations; empty: none
  TranslatorOptions translator;
  TranslationOptions translation;
  int64_t mbr_candidates = 0;  // translate/minimum_bayes_risk.h; 0: no MBR decoding
  EvaluationOptions options;
};

/// Scores translations of a test set; for a model or ensemble, also its perplexity on the first
/// reference. Throws Error when files cannot be read or do not pair line by line.
EvaluationReport evaluate_test_set(const EvaluationRequest& request);

}  // namespace nmt
