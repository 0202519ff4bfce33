#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "errors/error.h"
#include "translate/translator.h"

namespace nmt {

/// A text has over 2000 tokens and is not scored: memory grows with the length.
class TextTooLong : public Error {
 public:
  TextTooLong(const std::string& problem, bool of_source, size_t in_line)
      : Error(problem), is_source(of_source), line(in_line) {}

  bool is_source;  // of the two texts of a pair
  size_t line;     // from 1
};

/// Throws TextTooLong when line `line` has over 2000 tokens.
void require_scorable(size_t tokens, const char* side, size_t line);

/// To translate each line as it is scored: whole and as written.
TranslationOptions options_as_scored();

struct TextScoringOptions {
  std::filesystem::path language_model;  // its directory or packed file
  std::string device = "cpu";
  int threads = 0;  // 0: one for each core
  int64_t batch_size = 64;
};

/// The log-probability that a language model (nmt lm train) gives each line, its end included. An
/// empty line has one too. Throws Error when the model is not a language model.
std::vector<PairScore> score_text(const TextScoringOptions& options,
                                  const std::vector<std::string>& lines);

/// exp of the mean −log p per token. NaN for no lines.
double perplexity_of(const std::vector<PairScore>& scores);

}  // namespace nmt
