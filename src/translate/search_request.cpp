#include "translate/search_request.h"

#include <algorithm>
#include <string>

#include "errors/error.h"
#include "text/special_tokens.h"

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

}  // namespace

SearchOptions search_options(const TranslationOptions& options) {
  SearchOptions search;
  search.beam_size = options.beam_size;
  search.n_best = options.n_best;
  search.length_normalization = parse_normalization(options.length_normalization);
  search.length_penalty = options.length_penalty;
  search.max_length = options.max_length;
  search.min_length = options.min_length;
  search.max_length_ratio = options.max_length_ratio;
  search.scores = options.scores || options.words;
  search.attention = options.attention || options.words || options.copy_unknown;
  search.coverage_penalty = options.coverage_penalty;
  search.no_repeat_ngram = options.no_repeat_ngram;
  search.diverse_groups = options.diverse_groups;
  search.diversity_strength = options.diversity_strength;
  if (options.copy_unknown) search.suppressed_tokens = {kPadId, kBosId};
  return search;
}

SamplingOptions sampling_options(const TranslationOptions& options) {
  return {options.temperature, options.top_k, options.top_p, options.seed};
}

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

}  // namespace nmt
