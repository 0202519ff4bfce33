#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "evaluation/evaluation_report.h"
#include "translate/translator.h"

namespace nmt {

struct EvaluationRequest {
  std::filesystem::path hypothesis;  // translations; empty: the model translates `source`
  std::vector<std::filesystem::path> references;  // at least one; the perplexity is of the first
  std::filesystem::path source;
  std::filesystem::path translations;  // file for what the model translates; empty: not kept
  TranslatorOptions translator;
  TranslationOptions translation;
  int64_t mbr_candidates = 0;  // translate/minimum_bayes_risk.h; 0: the model's choice
  EvaluationOptions options;
};

/// Scores translations of a test set; of a model, or an ensemble, also its perplexity on the first
/// reference.
/// Throws Error when files cannot be read or do not pair line by line.
EvaluationReport evaluate_test_set(const EvaluationRequest& request);

}  // namespace nmt
