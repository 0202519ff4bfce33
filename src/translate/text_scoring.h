#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// Throws Error where the `line`th has over 2000 tokens: memory would grow without end.
void require_scorable(size_t tokens, const char* side, size_t line);

struct TextScoringOptions {
  std::filesystem::path language_model;  // its directory or packed file
  std::string device = "cpu";
  int threads = 0;  // 0: one for each core
  int64_t batch_size = 64;
};

/// What a language model (nmt lm train) says of each line: log p(line), its end included. An empty
/// line has a probability too. Throws Error where the model is none of language.
std::vector<PairScore> score_text(const TextScoringOptions& options,
                                  const std::vector<std::string>& lines);

/// exp of the mean −log p of a token: how many equally likely tokens it would be as sure of. NaN
/// of no lines.
double perplexity_of(const std::vector<PairScore>& scores);

}  // namespace nmt
