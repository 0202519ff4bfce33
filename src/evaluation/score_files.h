#pragma once

#include <cstdint>
#include <filesystem>

#include "translate/text_scoring.h"
#include "translate/translator.h"

namespace nmt {

struct PairScoringRequest {
  TranslatorOptions translator;
  std::filesystem::path source;
  std::filesystem::path target;
  std::filesystem::path output = "-";
  std::filesystem::path alignments;  // file for word alignments; empty: none
  bool words = false;                // after each score: format_word_scores()
  bool json = false;                 // instead of scores, write what `nmt translate --json` does
  int64_t batch_size = 64;           // sentences
};

/// Writes the log-probability of each target given its source, one per line, and on request those
/// of its words, by forced decoding. Throws Error.
void score_pairs(const PairScoringRequest& request);

struct LineScoringRequest {
  TextScoringOptions options;
  std::filesystem::path input = "-";
  std::filesystem::path output = "-";
};

/// Writes the log-probability that a language model gives each line, one a line, and their
/// perplexity to standard error. Throws Error.
void score_lines(const LineScoringRequest& request);

}  // namespace nmt
