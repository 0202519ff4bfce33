#include "translate/search_request.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "errors/error.h"

namespace nmt {
namespace {

void require(bool holds, const std::string& option, const std::string& problem,
             std::vector<std::string> others = {}) {
  if (!holds) throw OptionError(option, problem, std::move(others));
}

/// Throws OptionError outside [least, most], and for NaN.
template <typename T>
void require_within(const char* name, T value, T least, T most) {
  require(value >= least && value <= most, name,
          fmt::format("{} is out of range; use {} to {}", value, least, most));
}

void require_above_0(const char* name, double value, double most) {
  require(value > 0 && value <= most, name,
          fmt::format("{} is out of range; use a number above 0, at most {}", value, most));
}

void require_valid_sampling(const TranslationOptions& options) {
  require_within("temperature", options.temperature, 0.001, 1000.0);
  require_above_0("top_p", options.top_p, 1.0);
  require_within<int64_t>("top_k", options.top_k, 0, 1000000);
  const TranslationOptions defaults;
  const auto require_idle = [&](const char* name, auto value, auto default_value) {
    require(options.sample || value == default_value, name,
            fmt::format("{} has no effect without sample; set sample, or leave it at {}", value,
                        default_value));
  };
  require_idle("temperature", options.temperature, defaults.temperature);
  require_idle("top_p", options.top_p, defaults.top_p);
  require_idle("top_k", options.top_k, defaults.top_k);
}

void require_valid_constraints(const TranslationOptions& options) {
  require_within<int64_t>("no_repeat_ngram", options.no_repeat_ngram, 0, 1000);
  require_within("coverage_penalty", options.coverage_penalty, 0.0, 100.0);
  require_within<int64_t>("diverse_groups", options.diverse_groups, 1, options.beam_size);
  require(options.beam_size % options.diverse_groups == 0, "diverse_groups",
          fmt::format("{} does not divide beam_size {}; use a divisor", options.diverse_groups,
                      options.beam_size),
          {"beam_size"});
  require_within("diversity_strength", options.diversity_strength, 0.0, 1000.0);
  const bool constrained =
      options.no_repeat_ngram > 0 || options.coverage_penalty > 0 || options.diverse_groups > 1;
  require(!options.sample || !constrained, "sample",
          "does not combine with no_repeat_ngram, coverage_penalty or diverse_groups; use search",
          {"no_repeat_ngram", "coverage_penalty", "diverse_groups"});
}

}  // namespace

SearchOptions search_options(const TranslationOptions& options) {
  SearchOptions search;
  search.beam_size = options.beam_size;
  search.n_best = options.n_best;
  search.mean_normalization = options.length_normalization == ScoreNormalization::kMean;
  search.length_penalty = options.length_penalty;
  search.max_length = options.max_length;
  search.min_length = options.min_length;
  search.max_length_ratio = options.max_length_ratio;
  search.scores = options.scores || options.words;
  search.attention = options.attention || options.words;
  search.coverage_penalty = options.coverage_penalty;
  search.no_repeat_ngram = options.no_repeat_ngram;
  search.diverse_groups = options.diverse_groups;
  search.diversity_strength = options.diversity_strength;
  if (options.sample) {
    search.sampling = {options.temperature, options.top_k, options.top_p, options.seed};
  }
  return search;
}

bool operator==(const TranslationOptions& a, const TranslationOptions& b) {
  const auto members = [](const TranslationOptions& options) {
    // Adding an option without listing it here is a compile error.
    const auto& [beam_size, n_best, distinct, length_normalization, length_penalty, max_length,
                 min_length, max_length_ratio, split, max_source_length, pass_through, sample,
                 temperature, top_k, top_p, seed, batch_size, no_repeat_ngram, coverage_penalty,
                 diverse_groups, diversity_strength, copy_unknown, recase, scores, attention,
                 words] = options;
    return std::tie(beam_size, n_best, distinct, length_normalization, length_penalty, max_length,
                    min_length, max_length_ratio, split, max_source_length, pass_through, sample,
                    temperature, top_k, top_p, seed, batch_size, no_repeat_ngram, coverage_penalty,
                    diverse_groups, diversity_strength, copy_unknown, recase, scores, attention,
                    words);
  };
  return members(a) == members(b);
}

void require_valid(const TranslationOptions& options) {
  require_within<int64_t>("beam_size", options.beam_size, 1, 1000);
  require_within<int64_t>("n_best", options.n_best, 1, 1000);
  require(options.sample || options.n_best <= options.beam_size, "n_best",
          fmt::format("{} is above beam_size {}; lower it or raise beam_size", options.n_best,
                      options.beam_size),
          {"beam_size"});
  require_within<int64_t>("batch_size", options.batch_size, 1, 100000);
  require_within<int64_t>("max_length", options.max_length, 1, 100000);
  require_within<int64_t>("min_length", options.min_length, 0, 100000);
  require(options.min_length <= options.max_length, "min_length",
          fmt::format("{} is above max_length {}; lower it or raise max_length", options.min_length,
                      options.max_length),
          {"max_length"});
  require_above_0("max_length_ratio", options.max_length_ratio, 1000.0);
  require_within<int64_t>("max_source_length", options.max_source_length, 1, 100000);
  require_within("length_penalty", options.length_penalty, -10.0, 10.0);
  require_valid_sampling(options);
  require_valid_constraints(options);
}

void require_valid_constraints(const TranslationOptions& options,
                               const std::vector<TranslationConstraints>& constraint_list,
                               size_t num_lines) {
  if (constraint_list.empty()) return;
  if (constraint_list.size() != num_lines) {
    throw Error(fmt::format("constraints: {} sets for {} lines; pass none, or one for each line",
                            constraint_list.size(), num_lines));
  }
  const bool all_free =
      std::all_of(constraint_list.begin(), constraint_list.end(), [](const auto& constraints) {
        return constraints.prefix.empty() && constraints.phrases.empty();
      });
  require(!options.sample || all_free, "sample",
          "does not combine with prefixes or constraints; use search");
  const bool constrained =
      std::any_of(constraint_list.begin(), constraint_list.end(),
                  [](const auto& constraints) { return !constraints.phrases.empty(); });
  require(!constrained || options.diverse_groups == 1, "constraints",
          "do not combine with diverse_groups; use one of them", {"diverse_groups"});
}

}  // namespace nmt
