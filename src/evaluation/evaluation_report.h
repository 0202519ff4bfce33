#pragma once

#include <optional>
#include <string>
#include <vector>

#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/references.h"
#include "metrics/ter.h"

namespace nmt {

struct EvaluationOptions {
  std::vector<std::string> metrics = {"bleu", "chrf", "ter"};
  BleuOptions bleu;
  ChrfOptions chrf;
  TerOptions ter;

  bool wants(const std::string& metric) const;
};

/// How well the model's confidence predicts the quality of its translations.
struct ConfidenceReport {
  double mean = 0.0;
  double correlation = 0.0;  // Pearson, with sentence chrF2; NaN where it is not defined
};

struct EvaluationReport {
  std::string references = "1";  // References::count()
  std::optional<BleuScore> bleu;
  std::optional<double> chrf;
  std::optional<double> ter;
  std::optional<double> perplexity;  // per target token, EOS included
  std::optional<ConfidenceReport> confidence;
  int64_t lines = 0;
  int64_t lines_left_out = 0;  // by BLEU, chrF and TER: no reference in any file
  // Lines that the perplexity leaves out:
  int64_t lines_without_source = 0;
  int64_t lines_without_reference = 0;  // in the first file
  int64_t lines_too_long = 0;
};

/// Computes the chosen metrics of detokenized hypotheses against references, line by line. Lines
/// without a reference do not count. Throws Error if no line has one.
EvaluationReport evaluate(const std::vector<std::string>& translations,
                          const References& references, const EvaluationOptions& options);

/// One line per metric, ending with its signature.
std::string to_text(const EvaluationReport& report, const EvaluationOptions& options);

/// One JSON object on one line.
std::string to_json(const EvaluationReport& report, const EvaluationOptions& options);

}  // namespace nmt
