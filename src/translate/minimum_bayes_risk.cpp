#include "translate/minimum_bayes_risk.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "errors/error.h"
#include "metrics/pairwise_chrf.h"
#include "translate/assembly.h"

namespace nmt {
namespace {

/// Candidates with different texts, and how likely each text is.
struct Choice {
  std::vector<TranslationCandidate> candidates;
  std::vector<std::string> texts;
  std::vector<double> weights;  // probabilities of the texts; sum to 1
};

Choice different_texts(std::vector<TranslationCandidate>&& candidates, bool sampled) {
  Choice choice;
  std::unordered_map<std::string, size_t> places;
  double highest = candidates.front().log_probability;
  for (const auto& one : candidates) highest = std::max(highest, one.log_probability);
  double sum = 0.0;
  for (auto& candidate : candidates) {
    // Relative to the likeliest, since probabilities themselves may be too small for a double.
    const double weight = sampled ? 1.0 : std::exp(candidate.log_probability - highest);
    sum += weight;
    const auto [place, is_new] = places.emplace(candidate.text, choice.texts.size());
    if (!is_new) {
      choice.weights[place->second] += weight;
      continue;
    }
    choice.texts.push_back(candidate.text);
    choice.weights.push_back(weight);
    choice.candidates.push_back(std::move(candidate));
  }
  for (double& weight : choice.weights) weight /= sum;
  return choice;
}

}  // namespace

void minimize_risk(Translation& translation, bool sampled, size_t num_kept) {
  auto [candidates, texts, weights] = different_texts(std::move(translation.candidates), sampled);
  const auto utilities = pairwise_chrf(texts);
  for (size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].score = 0.0;
    for (size_t j = 0; j < texts.size(); ++j) {
      candidates[i].score += weights[j] * utilities[i][j];
    }
  }
  translation.candidates = std::move(candidates);
  keep_highest(translation, num_kept);
}

std::vector<Translation> translate_with_least_risk(
    const Translator& translator, const std::vector<std::string>& lines, TranslationOptions options,
    int64_t num_candidates, const std::vector<TranslationConstraints>& constraint_list) {
  if (num_candidates == 0) return translator.translate(lines, options, constraint_list);
  if (!options.sample && num_candidates > options.beam_size) {
    throw OptionError("mbr", std::to_string(num_candidates) + " candidates of a beam of " +
                                 std::to_string(options.beam_size) +
                                 "; use a larger beam size, or samples");
  }
  if (num_candidates < options.n_best) {
    throw OptionError("mbr", std::to_string(num_candidates) + " candidates for the " +
                                 std::to_string(options.n_best) + " best; use more candidates");
  }
  const auto num_kept = static_cast<size_t>(std::exchange(options.n_best, num_candidates));
  options.scores = true;
  options.distinct = false;  // their probabilities add up
  auto translations = translator.translate(lines, options, constraint_list);
  for (auto& translation : translations) minimize_risk(translation, options.sample, num_kept);
  return translations;
}

}  // namespace nmt
