#include "translate/translator.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "checkpoint/stored_model.h"
#include "decode/sentence_beam.h"
#include "support/error.h"
#include "support/threads.h"
#include "support/utf8.h"
#include "text/special_tokens.h"
#include "translate/assembly.h"
#include "translate/fused_engine.h"
#include "translate/plain_engine.h"
#include "translate/search_request.h"
#include "translate/source_parts.h"

namespace nmt {
namespace {

constexpr size_t kLongestScored = 2000;

void require_scorable(size_t tokens, const char* side, size_t line) {
  if (tokens <= kLongestScored) return;
  throw Error("line " + std::to_string(line) + " has " + std::to_string(tokens) + " " + side +
              " tokens; at most " + std::to_string(kLongestScored) +
              " can be scored: cut it into sentences");
}

/// Of what is not cut into parts, tokens: more would take memory without end.
constexpr size_t kLongestWhole = 2000;

void require_short(size_t tokens, const char* what) {
  if (tokens <= kLongestWhole) return;
  throw Error(std::string(what) + ": " + std::to_string(tokens) + " tokens; at most " +
              std::to_string(kLongestWhole) + " are taken");
}

/// `what` it is in messages.
std::vector<int32_t> encode_known(const std::string& text, const char* what,
                                  const Tokenizer& target) {
  auto tokens = target.encode(replace_invalid_utf8(text));
  if (std::find(tokens.begin(), tokens.end(), kUnknownId) == tokens.end()) return tokens;
  throw Error(std::string("the ") + what + " '" + text +
              "' has characters that the model does not know");
}

SentenceGuide encode_guide(const TranslationGuide& guide, const Tokenizer& target) {
  SentenceGuide encoded;
  encoded.prefix = encode_known(guide.prefix, "prefix", target);
  size_t num_tokens = encoded.prefix.size();
  for (const auto& text : guide.constraints) {
    auto tokens = encode_known(text, "constraint", target);
    num_tokens += tokens.size();
    if (!tokens.empty()) encoded.constraints.push_back(std::move(tokens));
  }
  require_short(num_tokens, "a prefix with its constraints");
  return encoded;
}

SourceLine make_source(const std::string& text, const SentenceGuide& guide,
                       const TranslationOptions& options, const SearchOptions& search,
                       const Tokenizer& tokenizer) {
  SourceLine line;
  const auto valid = replace_invalid_utf8(text);
  line.tokens = tokenizer.encode(valid);
  if (options.words || options.copy_unknown) {
    line.words = words_of_text(valid, line.tokens, tokenizer);
  }
  if (guide.prefix.empty() && guide.constraints.empty()) {
    line.parts = split_source(line.tokens, options.max_source_length, tokenizer);
  } else {
    require_short(line.tokens.size(), "a line with a prefix or constraints");
    line.parts = {line.tokens};
  }
  for (const auto& part : line.parts) {
    line.limits.push_back(token_limit(search, static_cast<int64_t>(part.size()), &guide));
  }
  return line;
}

enum class EngineKind { kPlain, kFused };

EngineKind choose_engine(const TranslatorOptions& options) {
  const bool possible = options.model_dirs.size() == 1 && options.device == "cpu";
  const bool int8 = options.precision == "int8";
  if (!int8 && options.precision != "float32") {
    throw UsageError("unknown precision '" + options.precision + "'; it is float32 or int8");
  }
  if (options.engine != "auto" && options.engine != "plain" && options.engine != "fused") {
    throw UsageError("unknown engine '" + options.engine + "'; it is auto, plain or fused");
  }
  if (options.engine == "plain" || (options.engine == "auto" && !possible)) {
    if (int8) throw UsageError("int8 is of the fused engine: one model, on a CPU");
    return EngineKind::kPlain;
  }
  if (!possible) throw UsageError("the fused engine takes one model, on a CPU; use auto");
  return EngineKind::kFused;
}

void require_one_vocabulary(const std::vector<StoredModel>& models,
                            const std::vector<std::filesystem::path>& directories) {
  for (size_t i = 1; i < models.size(); ++i) {
    if (models[i].source.bytes() == models[0].source.bytes() &&
        models[i].target.bytes() == models[0].target.bytes()) {
      continue;
    }
    throw Error(directories[i].string() + " and " + directories[0].string() +
                ": models of an ensemble have to share their vocabularies; train them with "
                "--vocab.source-model and --vocab.target-model");
  }
}

}  // namespace

struct Translator::Impl {
  std::vector<StoredModel> models;
  std::string device;
  int threads = 1;
  std::unique_ptr<Engine> fused;  // null: the plain one is used for all
  std::unique_ptr<PlainEngine> plain_engine;
  std::mutex making;  // of the plain engine

  const Tokenizer& source() const { return models.front().source; }
  const Tokenizer& target() const { return models.front().target; }

  /// Made when it is first needed: beside a fused one it seldom is.
  PlainEngine& plain() {
    const std::lock_guard<std::mutex> lock(making);
    if (plain_engine == nullptr) plain_engine = make_plain_engine(models, device, threads);
    return *plain_engine;
  }

  std::vector<std::vector<Hypothesis>> search(const TokenLists& sources,
                                              const TranslationOptions& options,
                                              const SentenceGuides& guides) {
    const auto search = search_options(options);
    if (options.sample) {
      return plain().sample(sources, options.batch_size, search, sampling_options(options));
    }
    Engine& engine = fused != nullptr ? *fused : plain();
    return engine.search(sources, options.batch_size, search, guides);
  }
};

Translator::Translator(const TranslatorOptions& options) : impl_(std::make_unique<Impl>()) {
  if (options.model_dirs.empty()) throw UsageError("no model directory is given");
  if (options.threads < 0 || options.threads > 1024) {
    throw UsageError("threads have to be from 0 to 1024");
  }
  const auto kind = choose_engine(options);
  impl_->device = options.device;
  impl_->threads = number_of_threads(options.threads);
  for (const auto& directory : options.model_dirs) impl_->models.push_back(read_model(directory));
  require_one_vocabulary(impl_->models, options.model_dirs);
  if (kind == EngineKind::kPlain) {
    impl_->plain();
  } else {
    const auto type = options.precision == "int8" ? WeightType::kInt8 : WeightType::kFloat32;
    impl_->fused = make_fused_engine(impl_->models.front(), type, impl_->threads);
  }
}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines,
                                               const TranslationOptions& options,
                                               const std::vector<TranslationGuide>& guides) const {
  require_valid(options);
  require_valid(options, guides, lines.size());
  const auto search = search_options(options);
  std::vector<SourceLine> sources;
  TokenLists parts;
  SentenceGuides part_guides;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto guide = guides.empty() ? SentenceGuide() : encode_guide(guides[i], impl_->target());
    sources.push_back(make_source(lines[i], guide, options, search, impl_->source()));
    const auto& own = sources.back().parts;
    parts.insert(parts.end(), own.begin(), own.end());
    if (!guides.empty()) part_guides.insert(part_guides.end(), own.size(), guide);
  }
  const auto found = impl_->search(parts, options, part_guides);
  std::vector<Translation> translations;
  size_t first = 0;
  for (const auto& source : sources) {
    translations.push_back(
        assemble(source, &found[first], impl_->source(), impl_->target(), options));
    first += source.parts.size();
  }
  return translations;
}

std::vector<PairScore> Translator::score(const std::vector<std::string>& sources,
                                         const std::vector<std::string>& targets,
                                         int64_t batch_size) const {
  if (sources.size() != targets.size()) {
    throw Error("there are " + std::to_string(sources.size()) + " sources and " +
                std::to_string(targets.size()) + " targets; they have to pair line by line");
  }
  if (impl_->models.size() != 1) throw Error("scoring takes one model, not an ensemble");
  TokenLists scored_sources;
  TokenLists scored_targets;
  std::vector<size_t> places;
  std::vector<PairScore> scores(sources.size());
  for (size_t i = 0; i < sources.size(); ++i) {
    auto source = impl_->source().encode(replace_invalid_utf8(sources[i]));
    auto target = impl_->target().encode(replace_invalid_utf8(targets[i]));
    require_scorable(source.size(), "source", i + 1);
    require_scorable(target.size(), "target", i + 1);
    scores[i].num_tokens = static_cast<int64_t>(target.size()) + 1;
    // An empty line is translated by an empty line and by nothing else.
    const bool possible = !source.empty() || target.empty();
    if (!possible) scores[i].log_probability = -std::numeric_limits<double>::infinity();
    if (source.empty()) continue;
    scored_sources.push_back(std::move(source));
    scored_targets.push_back(std::move(target));
    places.push_back(i);
  }
  const auto values = impl_->plain().score(scored_sources, scored_targets, batch_size);
  for (size_t i = 0; i < values.size(); ++i) scores[places[i]].log_probability = values[i];
  return scores;
}

}  // namespace nmt
