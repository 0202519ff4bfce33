#include "translate/text_scoring.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "checkpoint/stored_model.h"
#include "data/corpus_report.h"
#include "errors/error.h"
#include "errors/log.h"
#include "text/special_tokens.h"
#include "threads/threads.h"
#include "translate/constraint_encoder.h"
#include "translate/fused_engine.h"
#include "unicode/utf8.h"

namespace nmt {

void require_scorable(size_t tokens, const char* side, size_t line) {
  if (tokens <= kMaxUnsplitTokens) return;
  throw TextTooLong("line " + std::to_string(line) + ": " + std::to_string(tokens) + " " + side +
                        " tokens, more than the maximum of " + std::to_string(kMaxUnsplitTokens) +
                        "; split it into sentences",
                    std::string_view(side) == "source", line);
}

void warn_if_misread(const Translator& translator, const std::vector<std::string>& targets,
                     const std::filesystem::path& name) {
  if (!translator.misreads(targets)) return;
  log_warning(
      "{}: text, but this model reads tokens, so joined words are unknown to it; tokenize the file "
      "as for training",
      name.string());
}

TranslationOptions options_as_scored() {
  TranslationOptions options;
  options.split = LineSplit::kNone;
  options.recase = options.copy_unknown = false;
  return options;
}

std::vector<PairScore> score_text(const TextScoringOptions& options,
                                  const std::vector<std::string>& lines) {
  const auto model = read_model(options.language_model);
  if (model.options.architecture != Architecture::kLanguageModel) {
    throw Error(options.language_model.string() +
                ": not a language model; use nmt score for translators, nmt lm train to make one");
  }
  TokenLists texts;
  std::vector<PairScore> scores;
  int64_t tokens = 0;
  int64_t unknown = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    texts.push_back(model.target.encode(replace_invalid_utf8(lines[i])));
    const auto& text = texts.back();
    require_scorable(text.size(), "text", i + 1);
    const auto size = static_cast<int64_t>(text.size());
    scores.push_back({0.0, size + 1});
    tokens += size;
    unknown += std::count(text.begin(), text.end(), kUnknownId);
  }
  const double percent = unknown_percent(unknown, tokens);
  if (percent > kManyUnknownPercent) {
    log_warning("{}: {:.0f} % of the tokens are unknown to it; check the language of the text",
                options.language_model.string(), percent);
  }
  const TokenLists sources(lines.size(), {kEosId});  // a language model ignores them
  const int threads = number_of_threads(options.threads);
  const auto engine = options.device == "cpu"
                          ? make_fused_engine({{model}}, WeightType::kFloat32, threads, 1)
                          : make_plain_engine({{model}}, options.device, threads);
  const auto values = engine->score(sources, texts, options.batch_size);
  for (size_t i = 0; i < values.size(); ++i) scores[i].log_probability = values[i];
  return scores;
}

double perplexity_of(const std::vector<PairScore>& scores) {
  double log_probability = 0.0;
  int64_t tokens = 0;
  for (const auto& score : scores) {
    log_probability += score.log_probability;
    tokens += score.num_tokens;
  }
  return std::exp(-log_probability / static_cast<double>(tokens));
}

}  // namespace nmt
