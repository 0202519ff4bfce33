#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "errors/error.h"
#include "translate/translator.h"

namespace nmt {

/// A text has over 2000 tokens and cannot be scored, because memory grows with the length.
class TextTooLong : public Error {
 public:
  TextTooLong(const std::string& problem, bool of_source, size_t in_line)
      : Error(problem), is_source(of_source), line(in_line) {}

  bool is_source;  // which text of the pair
  size_t line;     // from 1
};

/// Throws TextTooLong when line `line` has over 2000 tokens.
void require_scorable(size_t tokens, const char* side, size_t line);

/// Warns if scores of these targets, from the file `name`, are meaningless (Translator::misreads).
void warn_if_misread(const Translator& translator, const std::vector<std::string>& targets,
                     const std::filesystem::path& name);

/// Options that translate each line as it is scored: unsplit and as written.
TranslationOptions options_as_scored();

struct TextScoringOptions {
  std::filesystem::path language_model;  // its directory or packed file
  std::string device = "cpu";
  int threads = 0;  // 0: one for each core
  int64_t batch_size = 64;
};

/// The log-probability of each line by a language model (nmt lm train), EOS included, also for an
/// empty line. Throws Error if the model is not a language model.
std::vector<PairScore> score_text(const TextScoringOptions& options,
                                  const std::vector<std::string>& lines);

/// exp of the mean −log p per token. NaN for no lines.
double perplexity_of(const std::vector<PairScore>& scores);

}  // namespace nmt
