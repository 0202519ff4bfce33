#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/paired_bootstrap.h"

namespace nmt {

/// A difference is called significant where p is below this.
constexpr double kSignificant = 0.05;

struct ComparisonOptions {
  int64_t num_samples = 1000;  // of the bootstrap
  uint64_t seed = 12345;
  int64_t num_sentences = 5;  // shown, for each side
};

struct MetricComparison {
  std::string name;
  std::string signature;
  bool higher_is_better = true;
  BootstrapResult result;
};

/// A sentence that one system translates better than the other does.
struct SentenceDifference {
  int64_t line = 0;  // from 1
  double a = 0.0;    // chrF2
  double b = 0.0;
};

struct Comparison {
  int64_t lines = 0;
  std::vector<MetricComparison> metrics;     // BLEU, chrF2, TER
  std::vector<SentenceDifference> a_better;  // largest difference first
  std::vector<SentenceDifference> b_better;  // likewise
};

/// Two systems' translations of the same lines. Throws Error on unequal counts.
Comparison compare(const std::vector<std::string>& a, const std::vector<std::string>& b,
                   const std::vector<std::string>& references, const ComparisonOptions& options);

/// What was compared, for people to read.
struct ComparedTexts {
  std::string name_a;
  std::string name_b;
  std::vector<std::string> sources;  // none where they are not known
  std::vector<std::string> a;
  std::vector<std::string> b;
  std::vector<std::string> references;
};

/// A table of the metrics, then the sentences that differ most.
std::string to_text(const Comparison& comparison, const ComparedTexts& texts,
                    const ComparisonOptions& options);

/// One JSON object on one line.
std::string to_json(const Comparison& comparison, const ComparedTexts& texts,
                    const ComparisonOptions& options);

}  // namespace nmt
