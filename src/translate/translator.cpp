#include "translate/translator.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "checkpoint/model.h"
#include "data/batch.h"
#include "decode/batch_search.h"
#include "decode/forced_scoring.h"
#include "decode/fused_model.h"
#include "decode/fused_search.h"
#include "decode/model_stepper.h"
#include "decode/sentence_beam.h"
#include "decode/single_path_search.h"
#include "nn/device.h"
#include "support/error.h"
#include "support/threads.h"
#include "support/utf8.h"
#include "translate/assembly.h"
#include "translate/source_parts.h"

namespace nmt {
namespace {

LengthNormalization parse_normalization(const std::string& name) {
  if (name == "none") return LengthNormalization::kNone;
  if (name == "wu") return LengthNormalization::kWu;
  if (name == "mean") return LengthNormalization::kMean;
  throw UsageError("unknown length normalization '" + name + "'; it has to be none, wu or mean");
}

void require(bool holds, const char* message) {
  if (!holds) throw UsageError(message);
}

/// False for NaN too.
template <typename T>
bool within(T value, T least, T most) {
  return value >= least && value <= most;
}

SearchOptions search_options(const TranslationOptions& options) {
  SearchOptions search;
  search.beam_size = options.beam_size;
  search.n_best = options.n_best;
  search.length_normalization = parse_normalization(options.length_normalization);
  search.length_penalty = options.length_penalty;
  search.max_length = options.max_length;
  search.min_length = options.min_length;
  search.max_length_ratio = options.max_length_ratio;
  search.attention = options.attention || options.words || options.copy_unknown;
  search.coverage_penalty = options.coverage_penalty;
  search.no_repeat_ngram = options.no_repeat_ngram;
  search.diverse_groups = options.diverse_groups;
  search.diversity_strength = options.diversity_strength;
  if (options.copy_unknown) search.suppressed_tokens = {kPadId, kBosId};
  return search;
}

SearchBatch search_of(const TranslationOptions& options) {
  const auto search = search_options(options);
  if (!options.sample) return make_search(search);
  const SamplingOptions sampling{options.temperature, options.top_k, options.top_p, options.seed};
  return [search, sampling](Stepper& stepper, const torch::Tensor& source,
                            const torch::Tensor& lengths, const SentenceGuides&) {
    return sample_search(stepper, source, lengths, search, sampling);
  };
}

/// Batches whose scores fit: at most batch_size pairs, and as few as make kMostLogits values.
constexpr int64_t kMostLogits = int64_t{1} << 26;
constexpr size_t kLongestScored = 2000;

void require_scorable(size_t tokens, const char* side, size_t line) {
  if (tokens <= kLongestScored) return;
  throw Error("line " + std::to_string(line) + " has " + std::to_string(tokens) + " " + side +
              " tokens; at most " + std::to_string(kLongestScored) +
              " can be scored: cut it into sentences");
}

/// How many of the pairs `order`, sorted by falling target length, from `begin` on go together.
size_t pairs_together(const std::vector<std::vector<int32_t>>& targets,
                      const std::vector<size_t>& order, size_t begin, int64_t batch_size,
                      int64_t vocabulary_size) {
  const auto steps = static_cast<int64_t>(targets[order[begin]].size()) + 1;
  const int64_t fitting = std::max<int64_t>(kMostLogits / (steps * vocabulary_size), 1);
  return std::min(order.size() - begin, static_cast<size_t>(std::min(batch_size, fitting)));
}

/// Of the options that translations keep to beside the model.
void require_valid_rules(const TranslationOptions& options) {
  require(within<int64_t>(options.no_repeat_ngram, 0, 1000),
          "no-repeat-ngram has to be from 0 to 1000");
  require(within(options.coverage_penalty, 0.0, 100.0),
          "the coverage penalty has to be from 0 to 100");
  require(within<int64_t>(options.diverse_groups, 1, options.beam_size) &&
              options.beam_size % options.diverse_groups == 0,
          "the beam size has to be a multiple of the number of diverse groups");
  require(within(options.diversity_strength, 0.0, 1000.0),
          "the diversity strength has to be from 0 to 1000");
  const bool some =
      options.no_repeat_ngram > 0 || options.coverage_penalty > 0 || options.diverse_groups > 1;
  require(!options.sample || !some,
          "sampling takes no no-repeat-ngram, coverage penalty or diverse groups");
}

void require_valid(const TranslationOptions& options, const std::vector<TranslationGuide>& guides,
                   size_t num_lines) {
  if (guides.empty()) return;
  if (guides.size() != num_lines) {
    throw Error("there are " + std::to_string(num_lines) + " lines and " +
                std::to_string(guides.size()) + " guides; there has to be one for each line");
  }
  require(!options.sample, "sampling takes no prefixes or constraints");
  const bool constrained = std::any_of(
      guides.begin(), guides.end(), [](const auto& guide) { return !guide.constraints.empty(); });
  require(!constrained || options.diverse_groups == 1,
          "constraints and diverse groups do not go together");
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

}  // namespace

void require_valid(const TranslationOptions& options) {
  require(within<int64_t>(options.beam_size, 1, 1000), "the beam size has to be from 1 to 1000");
  require(within<int64_t>(options.n_best, 1, 1000), "n-best has to be from 1 to 1000");
  require(options.sample || options.n_best <= options.beam_size,
          "n-best cannot be larger than the beam size");
  require(within<int64_t>(options.batch_size, 1, 100000),
          "the batch size has to be from 1 to 100000");
  require(within<int64_t>(options.max_length, 1, 100000),
          "the greatest length has to be from 1 to 100000");
  require(within<int64_t>(options.min_length, 0, 100000),
          "the least length has to be from 0 to 100000");
  require(options.max_length_ratio > 0 && options.max_length_ratio <= 1000,
          "the length ratio has to be above 0 and at most 1000");
  require(within<int64_t>(options.max_source_length, 1, 100000),
          "the greatest source length has to be from 1 to 100000");
  require(within(options.length_penalty, -10.0, 10.0),
          "the length penalty has to be from -10 to 10");
  require(within(options.temperature, 0.001, 1000.0),
          "the temperature has to be from 0.001 to 1000");
  require(options.top_p > 0 && options.top_p <= 1, "top-p has to be above 0 and at most 1");
  require(within<int64_t>(options.top_k, 0, 1000000), "top-k has to be from 0 to 1000000");
  require_valid_rules(options);
  parse_normalization(options.length_normalization);
}

struct Translator::Impl {
  std::vector<Model> models;
  torch::Device device;
  std::unique_ptr<InferenceModel> fused;  // null: the plain path
  std::unique_ptr<ThreadTeam> team;
  std::mutex searching;  // the team serves one caller at a time

  explicit Impl(const std::string& device_name) : device(open_device(device_name)) {}

  const Tokenizer& source() const { return models.front().source; }
  const Tokenizer& target() const { return models.front().target; }

  std::unique_ptr<Stepper> make_stepper() const {
    std::vector<std::unique_ptr<Stepper>> members;
    for (const auto& model : models)
      members.push_back(std::make_unique<ModelStepper>(model.network));
    if (members.size() == 1) return std::move(members.front());
    return std::make_unique<EnsembleStepper>(std::move(members));
  }

  void choose_engine(const TranslatorOptions& options) {
    const bool possible = models.size() == 1 && device.is_cpu();
    const bool int8 = options.precision == "int8";
    if (!int8 && options.precision != "float32") {
      throw UsageError("unknown precision '" + options.precision + "'; it is float32 or int8");
    }
    if (options.engine != "auto" && options.engine != "plain" && options.engine != "fused") {
      throw UsageError("unknown engine '" + options.engine + "'; it is auto, plain or fused");
    }
    if (options.engine == "plain" || (options.engine == "auto" && !possible)) {
      if (int8) throw UsageError("int8 is of the fused engine: one model, on a CPU");
      return;
    }
    if (!possible) throw UsageError("the fused engine takes one model, on a CPU; use auto");
    if (int8 && !has_int8_products()) {
      throw Error("this program was built without oneDNN and has no int8; use float32");
    }
    fused = make_inference_model(models.front().network,
                                 int8 ? WeightType::kInt8 : WeightType::kFloat32);
    team = std::make_unique<ThreadTeam>(number_of_threads(options.threads));
  }

  std::vector<std::vector<Hypothesis>> search(const std::vector<std::vector<int32_t>>& sources,
                                              const TranslationOptions& options,
                                              const SentenceGuides& guides) {
    if (fused != nullptr && !options.sample) {
      const std::lock_guard<std::mutex> lock(searching);
      return fused_search(*fused, sources, options.batch_size, search_options(options), *team,
                          guides);
    }
    const auto stepper = make_stepper();
    return search_all(*stepper, sources, options.batch_size, search_of(options), guides);
  }

  void require_one_vocabulary(const std::vector<std::filesystem::path>& directories) const {
    for (size_t i = 1; i < models.size(); ++i) {
      if (models[i].source.bytes() == source().bytes() &&
          models[i].target.bytes() == target().bytes()) {
        continue;
      }
      throw Error(directories[i].string() + " and " + directories[0].string() +
                  ": models of an ensemble have to share their vocabularies; train them with "
                  "--vocab.source-model and --vocab.target-model");
    }
  }
};

Translator::Translator(const TranslatorOptions& options)
    : impl_(std::make_unique<Impl>(options.device)) {
  if (options.model_dirs.empty()) throw UsageError("no model directory is given");
  if (!within(options.threads, 0, 1024)) throw UsageError("threads have to be from 0 to 1024");
  at::set_num_threads(number_of_threads(options.threads));
  for (const auto& directory : options.model_dirs) {
    impl_->models.push_back(load_model(directory, impl_->device));
  }
  impl_->require_one_vocabulary(options.model_dirs);
  impl_->choose_engine(options);
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
  std::vector<std::vector<int32_t>> parts;
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
  std::vector<std::vector<int32_t>> source_ids;
  std::vector<std::vector<int32_t>> target_ids;
  std::vector<PairScore> scores(sources.size());
  std::vector<size_t> order;
  for (size_t i = 0; i < sources.size(); ++i) {
    source_ids.push_back(impl_->source().encode(replace_invalid_utf8(sources[i])));
    target_ids.push_back(impl_->target().encode(replace_invalid_utf8(targets[i])));
    require_scorable(source_ids[i].size(), "source", i + 1);
    require_scorable(target_ids[i].size(), "target", i + 1);
    scores[i].num_tokens = static_cast<int64_t>(target_ids[i].size()) + 1;
    // An empty line is translated by an empty line and by nothing else.
    const bool possible = !source_ids[i].empty() || target_ids[i].empty();
    if (!possible) scores[i].log_probability = -std::numeric_limits<double>::infinity();
    if (!source_ids[i].empty()) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return target_ids[a].size() > target_ids[b].size(); });
  auto network = impl_->models.front().network;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    end = begin +
          pairs_together(target_ids, order, begin, batch_size, impl_->target().vocabulary_size());
    std::vector<std::vector<int32_t>> batch_sources;
    std::vector<std::vector<int32_t>> batch_targets;
    for (size_t i = begin; i < end; ++i) {
      batch_sources.push_back(source_ids[order[i]]);
      batch_targets.push_back(target_ids[order[i]]);
    }
    const auto batch = make_batch(batch_sources, batch_targets).to(impl_->device);
    const auto values = score_batch(network, batch);
    for (size_t i = begin; i < end; ++i) scores[order[i]].log_probability = values[i - begin];
  }
  return scores;
}

}  // namespace nmt
