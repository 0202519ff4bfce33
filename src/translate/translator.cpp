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
#include "decode/single_path_search.h"
#include "nn/device.h"
#include "support/error.h"
#include "support/threads.h"
#include "support/utf8.h"
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
  search.attention = options.attention;
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

/// Appends the candidate of the next part of a line to what its earlier parts gave.
void append(TranslationCandidate& whole, const Hypothesis& part, const Tokenizer& target,
            bool first) {
  const auto text = target.decode(part.tokens);
  if (!first && !whole.text.empty() && !text.empty()) whole.text += ' ';
  whole.text += text;
  whole.score += part.score;
  whole.log_probability += part.log_probability;
  for (const int32_t token : part.tokens) whole.tokens.push_back(target.piece(token));
  whole.token_log_probabilities.insert(whole.token_log_probabilities.end(),
                                       part.token_log_probabilities.begin(),
                                       part.token_log_probabilities.end());
  // Rows of different parts look at different tokens: a picture of them together would be false.
  if (first) {
    whole.attention = part.attention;
  } else {
    whole.attention.clear();
  }
}

/// A line's translation from the n-best lists of its parts, `count` of them from `first` on.
Translation assemble(const std::vector<std::vector<Hypothesis>>& parts, size_t first, size_t count,
                     const Tokenizer& target) {
  Translation translation;
  size_t candidates = parts[first].size();
  for (size_t i = first; i < first + count; ++i) candidates = std::min(candidates, parts[i].size());
  translation.candidates.resize(candidates);
  for (size_t rank = 0; rank < candidates; ++rank) {
    for (size_t i = 0; i < count; ++i) {
      append(translation.candidates[rank], parts[first + i][rank], target, i == 0);
    }
  }
  translation.text = translation.candidates.front().text;
  return translation;
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
                                              const TranslationOptions& options) {
    if (fused != nullptr && !options.sample) {
      const std::lock_guard<std::mutex> lock(searching);
      return fused_search(*fused, sources, options.batch_size, search_options(options), *team);
    }
    const auto stepper = make_stepper();
    return search_all(*stepper, sources, options.batch_size, search_of(options));
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
                                               const TranslationOptions& options) const {
  require_valid(options);
  std::vector<std::vector<int32_t>> parts;
  std::vector<size_t> parts_of_line;
  std::vector<std::vector<std::string>> source_tokens;
  for (const auto& line : lines) {
    const auto tokens = impl_->source().encode(replace_invalid_utf8(line));
    source_tokens.emplace_back();
    for (const int32_t token : tokens) {
      source_tokens.back().push_back(impl_->source().piece(token));
    }
    auto split = split_source(tokens, options.max_source_length, impl_->source());
    parts_of_line.push_back(split.size());
    std::move(split.begin(), split.end(), std::back_inserter(parts));
  }
  const auto found = impl_->search(parts, options);
  std::vector<Translation> translations;
  size_t first = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    translations.push_back(assemble(found, first, parts_of_line[i], impl_->target()));
    translations.back().source_tokens = std::move(source_tokens[i]);
    first += parts_of_line[i];
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
