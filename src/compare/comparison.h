#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "compare/paired_bootstrap.h"
#include "metrics/breakdown.h"

namespace nmt {

/// A difference is called significant where p is below this and 0 is outside the interval: p alone
/// is nearer to a one-sided test.
constexpr double kSignificant = 0.05;

struct ComparisonOptions {
  int64_t num_samples = 1000;  // bootstrap samples
  uint64_t seed = 12345;
  int64_t num_sentences = 5;  // sentences shown per system
};

struct MetricComparison {
  std::string name;
  std::string signature;
  bool higher_is_better = true;
  BootstrapResult result;
  bool significant = false;  // by kSignificant; never of one line, whose samples are equal
};

/// A sentence that one system translates better than the other does.
struct SentenceDifference {
  int64_t line = 0;  // from 1
  double a = 0.0;    // chrF2
  double b = 0.0;
};

/// Sentences of similar length, or reference words of similar frequency.
struct ComparedGroup {
  std::string name;  // a range of lengths or of occurrences, "6–10"
  int64_t size = 0;  // sentences, or words
  double a = 0.0;    // BLEU of the sentences, or percent of the words that A found
  double b = 0.0;
};

struct Comparison {
  int64_t lines = 0;                         // with a reference
  int64_t lines_left_out = 0;                // without one
  std::vector<MetricComparison> metrics;     // BLEU, chrF2, TER
  std::vector<SentenceDifference> a_better;  // largest difference first
  std::vector<SentenceDifference> b_better;  // likewise
  std::vector<ComparedGroup> by_length;      // from short to long
  std::vector<ComparedGroup> by_frequency;   // from rare to common; none without training text
};

/// Two systems' translations of the same lines. Lines without a reference do not count. Throws
/// Error on unequal counts, and if no line has a reference.
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

/// Groups sentences by length in words: of the source if known, otherwise of the reference.
std::vector<ComparedGroup> compare_by_length(const ComparedTexts& texts);

/// Groups reference words by how often they occur in the target side of the training text. A word
/// counts as found if the translation of its sentence contains it.
std::vector<ComparedGroup> compare_by_frequency(const ComparedTexts& texts,
                                                const WordCounts& in_training);

/// Counts the words of the references in a text. Throws Error when it cannot be read.
WordCounts count_reference_words(const std::vector<std::string>& references,
                                 const std::filesystem::path& training_text);

/// One comparison of two systems; A is the same in all comparisons.
struct ComparedSystems {
  ComparedTexts texts;
  Comparison comparison;
};

/// For each comparison, tables of the metrics and groups, then the sentences that differ most.
/// Several comparisons are preceded by a table of all systems.
std::string to_text(const std::vector<ComparedSystems>& compared, const ComparisonOptions& options);

/// One JSON object on one line. Several comparisons are an array under "comparisons".
std::string to_json(const std::vector<ComparedSystems>& compared, const ComparisonOptions& options);

}  // namespace nmt
