#include "translate/translator.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "checkpoint/stored_model.h"
#include "config/settings_io.h"
#include "decode/sentence_beam.h"
#include "errors/error.h"
#include "files/paired_lines.h"
#include "files/sha256.h"
#include "text/special_tokens.h"
#include "threads/threads.h"
#include "translate/alternatives.h"
#include "translate/assembly.h"
#include "translate/constraint_encoder.h"
#include "translate/engine_choice.h"
#include "translate/fused_engine.h"
#include "translate/plain_engine.h"
#include "translate/search_request.h"
#include "translate/source_parts.h"
#include "translate/text_scoring.h"
#include "translate/words.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

SourceLine make_source(const std::string& text, const DecodingConstraints& constraints,
                       const TranslationOptions& options, const SearchOptions& search,
                       const Tokenizer& tokenizer) {
  SourceLine line;
  const auto valid = replace_invalid_utf8(text);
  line.tokens = tokenizer.encode(valid);
  if (options.words || options.copy_unknown) {
    line.words = words_of_text(valid, line.tokens, tokenizer);
  }
  if (constraints.empty()) {
    line.parts = split_source(line.tokens, options.max_source_length, tokenizer);
  } else {
    require_short(line.tokens.size(), "a line with a prefix or constraints");
    line.parts = {line.tokens};
  }
  for (const auto& part : line.parts) {
    line.limits.push_back(token_limit(search, static_cast<int64_t>(part.size()), &constraints));
  }
  return line;
}

/// Throws UsageError for options that do not combine.
void require_possible(const TranslatorOptions& options, const Seq2SeqOptions& first_model) {
  const bool int8 = options.precision == TranslationPrecision::kInt8;
  const auto reason = fused_engine_unsupported_reason(options, first_model);
  if (int8 && uses_plain_engine(options, first_model)) {
    throw UsageError("int8: only the fused engine supports it" +
                     (reason.empty() ? "; use auto" : ", but " + reason));
  }
  if (options.engine == TranslationEngine::kFused && !reason.empty()) {
    throw UsageError("engine fused: " + reason + "; use auto");
  }
}

bool attends(const StoredModel& model) {
  const auto& options = model.options;
  return options.architecture == Architecture::kTransformer ||
         (options.architecture == Architecture::kRecurrent &&
          options.attention != &none_attention());
}

void require_one_vocabulary(const std::vector<StoredModel>& models,
                            const std::vector<std::filesystem::path>& directories) {
  for (size_t i = 1; i < models.size(); ++i) {
    if (models[i].source.bytes() == models[0].source.bytes() &&
        models[i].target.bytes() == models[0].target.bytes()) {
      continue;
    }
    throw Error(directories[i].string() + " and " + directories[0].string() +
                ": an ensemble needs models with the same vocabularies; train them with "
                "--vocab.source-model and --vocab.target-model");
  }
}

void require_translators(const std::vector<StoredModel>& models,
                         const std::vector<std::filesystem::path>& directories) {
  for (size_t i = 0; i < models.size(); ++i) {
    if (models[i].options.architecture != Architecture::kLanguageModel) continue;
    throw Error(
        directories[i].string() +
        ": a language model does not translate; use nmt lm score, or --lm with a translator");
  }
}

/// The language model that the options name, if any, for translators into `target`.
std::optional<ShallowFusion> read_fusion(const TranslatorOptions& options,
                                         const Tokenizer& target) {
  const double weight = options.language_model_weight;
  if (!(weight >= 0.0 && weight <= 100.0)) {
    throw UsageError("lm_weight: " + std::to_string(weight) + " is out of range; use 0 to 100");
  }
  if (options.language_model.empty()) return {};
  const auto name = options.language_model.string();
  ShallowFusion fusion{read_model(options.language_model), weight};
  if (fusion.language_model.options.architecture != Architecture::kLanguageModel) {
    throw Error(name + ": not a language model; use one of nmt lm train");
  }
  if (fusion.language_model.target.bytes() != target.bytes()) {
    throw Error(name + ": its vocabulary differs from the target of " +
                options.model_dirs.front().string() +
                "; train it with nmt lm train --vocabulary-of that model");
  }
  return fusion;
}

}  // namespace

struct Translator::Impl {
  std::vector<StoredModel> models;
  std::optional<ShallowFusion> fusion;
  std::string device;
  int threads = 1;
  int callers = 1;
  std::unique_ptr<Engine> fused;  // null: the plain one is used for all
  std::unique_ptr<PlainEngine> plain_engine;
  std::mutex making;  // of the plain engine
  std::unique_ptr<ConstraintEncoder> constraint_encoder;
  std::once_flag encoder_made;

  const Tokenizer& source() const { return models.front().source; }
  const Tokenizer& target() const { return models.front().target; }

  /// Created on demand: next to a fused engine it is seldom needed.
  PlainEngine& plain() {
    const std::lock_guard<std::mutex> lock(making);
    if (plain_engine == nullptr) plain_engine = make_plain_engine(models, fusion, device, threads);
    return *plain_engine;
  }

  /// Created on demand: only constraints need it.
  const ConstraintEncoder& encoder() {
    std::call_once(encoder_made,
                   [this] { constraint_encoder = std::make_unique<ConstraintEncoder>(target()); });
    return *constraint_encoder;
  }

  SearchOptions search_options_for(const TranslationOptions& options) const {
    auto search = search_options(options);
    // Without attention, nothing shows which source word an unknown piece corresponds to.
    if (std::none_of(models.begin(), models.end(), attends)) {
      search.suppressed_tokens = SearchOptions().suppressed_tokens;
    }
    return search;
  }

  /// Searches and scores; only the plain engine samples.
  Engine& engine() { return fused != nullptr ? *fused : plain(); }

  std::vector<std::vector<Hypothesis>> search(const TokenLists& sources,
                                              const TranslationOptions& options,
                                              const SearchOptions& search,
                                              const ConstraintList& constraint_list) {
    if (options.sample) {
      return plain().sample(sources, options.batch_size, search, sampling_options(options));
    }
    return engine().search(sources, options.batch_size, search, constraint_list);
  }

  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const TranslationOptions& options,
                                     const ConstraintList& constraint_list) {
    const auto search = search_options_for(options);
    std::vector<SourceLine> sources;
    TokenLists parts;
    ConstraintList part_constraints;
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto constraints = constraint_list.empty() ? DecodingConstraints() : constraint_list[i];
      sources.push_back(make_source(lines[i], constraints, options, search, source()));
      const auto& own = sources.back().parts;
      parts.insert(parts.end(), own.begin(), own.end());
      if (!constraint_list.empty())
        part_constraints.insert(part_constraints.end(), own.size(), constraints);
    }
    const auto found = this->search(parts, options, search, part_constraints);
    std::vector<Translation> translations;
    size_t first = 0;
    for (const auto& line : sources) {
      translations.push_back(assemble(line, &found[first], source(), target(), options));
      first += line.parts.size();
    }
    return translations;
  }
};

Translator::Translator(const TranslatorOptions& options) : impl_(std::make_unique<Impl>()) {
  if (options.model_dirs.empty()) throw UsageError("no model given; use at least one");
  if (options.threads < 0 || options.threads > 1024) {
    throw UsageError("threads: " + std::to_string(options.threads) +
                     " is out of range; use 0 to 1024");
  }
  if (options.callers < 0) throw UsageError("callers: out of range; use 0 or more");
  impl_->device = options.device;
  impl_->threads = number_of_threads(options.threads);
  for (const auto& directory : options.model_dirs) impl_->models.push_back(read_model(directory));
  require_translators(impl_->models, options.model_dirs);
  require_one_vocabulary(impl_->models, options.model_dirs);
  impl_->fusion = read_fusion(options, impl_->target());
  const auto& first_model = impl_->models.front().options;
  require_possible(options, first_model);
  if (uses_plain_engine(options, first_model)) {
    impl_->plain();
  } else {
    const auto type =
        options.precision == TranslationPrecision::kInt8 ? WeightType::kInt8 : WeightType::kFloat32;
    impl_->callers =
        options.callers > 0 ? std::min(options.callers, impl_->threads) : impl_->threads;
    impl_->fused = make_fused_engine(impl_->models.front(), type, impl_->threads, impl_->callers);
  }
}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

int Translator::callers() const { return impl_->callers; }

std::string Translator::fingerprint() const {
  Sha256 all;
  const auto add = [&](const StoredModel& model) {
    all.add(sha256(to_yaml(model.settings, /*with_comments=*/false)));
    all.add(sha256(model.source.bytes()));
    all.add(sha256(model.target.bytes()));
    all.add(sha256(model.weights.file->bytes()));
  };
  for (const auto& model : impl_->models) add(model);
  if (impl_->fusion) add(impl_->fusion->language_model);
  return all.hexadecimal();
}

std::vector<Translation> Translator::translate(
    const std::vector<std::string>& lines, const TranslationOptions& options,
    const std::vector<TranslationConstraints>& constraint_list) const {
  require_valid(options);
  require_valid_constraints(options, constraint_list, lines.size());
  ConstraintList encoded;
  for (const auto& constraints : constraint_list) {
    encoded.push_back(impl_->encoder().encode(constraints));
  }
  return impl_->translate(lines, options, encoded);
}

Translation Translator::translate(const std::string& line, const TranslationOptions& options,
                                  const TranslationConstraints& constraints,
                                  const TextWatch& watch) const {
  require_valid(options);
  const bool is_free = constraints.prefix.empty() && constraints.phrases.empty();
  require_valid_constraints(
      options, is_free ? std::vector<TranslationConstraints>() : std::vector{constraints}, 1);
  const auto encoded = impl_->encoder().encode(constraints);
  auto search = impl_->search_options_for(options);
  const auto source = make_source(line, encoded, options, search, impl_->source());
  std::string before;  // the parts that are done
  std::string reported;
  const auto report = [&](const std::string& text) {
    if (text != reported) watch(reported = text);
  };
  const auto with_earlier_parts = [&](const std::vector<int32_t>& tokens) {
    const auto text = impl_->target().decode(tokens);
    return before + (before.empty() || text.empty() ? "" : " ") + text;
  };
  search.watch = [&](const std::vector<int32_t>& so_far) { report(with_earlier_parts(so_far)); };
  std::vector<std::vector<Hypothesis>> found;
  for (const auto& part : source.parts) {
    const auto constraint_list = encoded.empty() ? ConstraintList() : ConstraintList{encoded};
    found.push_back(impl_->search({part}, options, search, constraint_list).front());
    report(before = with_earlier_parts(found.back().front().tokens));
  }
  auto translation = assemble(source, found.data(), impl_->source(), impl_->target(), options);
  report(translation.text);
  return translation;
}

std::vector<Alternative> Translator::alternatives(const std::string& line,
                                                  const std::string& prefix, int64_t count,
                                                  const TranslationOptions& options) const {
  auto whole = options;
  whole.n_best = 1;
  whole.words = true;
  require_valid(whole);
  if (options.sample) throw UsageError("alternatives: cannot be sampled; use search");
  if (count < 1 || count > 100)
    throw UsageError("alternatives: " + std::to_string(count) + " is out of range; use 1 to 100");
  const auto begun = impl_->encoder().encode({prefix + " ", {}});
  const auto source = impl_->source().encode(replace_invalid_utf8(line));
  require_short(source.size(), "a line with a prefix or constraints");
  if (source.empty()) return {};
  // Several tokens may begin one word.
  const auto constraint_list = likeliest_beginnings(impl_->engine(), source, begun, 2 * count);
  const auto found = impl_->translate(std::vector<std::string>(constraint_list.size(), line), whole,
                                      constraint_list);
  const auto place = merge_pieces(begun.prefix, impl_->target()).texts.size();
  return different_words(found, place, static_cast<size_t>(count));
}

std::vector<PairScore> Translator::score(const std::vector<std::string>& sources,
                                         const std::vector<std::string>& targets,
                                         int64_t batch_size) const {
  require_paired_lines("sources", sources.size(), "targets", targets.size());
  if (impl_->models.size() != 1)
    throw Error("scoring needs a single model, not an ensemble; use one --model-dir");
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
  const auto values = impl_->engine().score(scored_sources, scored_targets, batch_size);
  for (size_t i = 0; i < values.size(); ++i) scores[places[i]].log_probability = values[i];
  return scores;
}

}  // namespace nmt
