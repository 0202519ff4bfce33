#include "corpus_check/pair_relation.h"

#include <algorithm>
#include <cmath>

#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr size_t kMinRelationPairs = 300;
constexpr size_t kMaxDecoys = 5000;
constexpr double kMinRandomShare = 0.001;  // assumed of every corpus
constexpr double kManyRandom = 0.01;
constexpr int kSteps = 300;             // of gradient descent
constexpr double kMinSeparation = 0.9;  // probability that a pair scores above a random one

double log_length(std::string_view text) {
  return std::log1p(static_cast<double>(count_characters(text)));
}

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace

PairRelation::Features PairRelation::features_of(const WordAssociation::Pair& words,
                                                 double source_length, double target_length) const {
  const auto [target_evidence, source_evidence] = association_.evidence(words);
  const double source_words = static_cast<double>(words.source.size()) + 1;
  const double target_words = static_cast<double>(words.target.size()) + 1;
  const double size = std::sqrt(source_words + target_words);
  const double lengths = std::abs(target_length - source_length - length_difference_);
  return {target_evidence / target_words,
          source_evidence / source_words,
          (target_evidence + source_evidence) / size,
          std::min(target_evidence / target_words, source_evidence / source_words),
          lengths,
          lengths * size,
          size};
}

double PairRelation::score_of(const Features& features) const {
  double sum = bias_;
  for (size_t i = 0; i < kFeatures; ++i) {
    sum += weights_[i] * (features[i] - means_[i]) / deviations_[i];
  }
  return sum;
}

/// Logistic regression by gradient descent with momentum on standardized features. Pairs and decoys
/// weigh the same, however many.
void PairRelation::fit(const std::vector<Features>& examples, size_t pairs) {
  const auto weight = [&](size_t i) {
    return 0.5 / static_cast<double>(i < pairs ? pairs : examples.size() - pairs);
  };
  means_ = {};
  deviations_ = {};
  for (size_t i = 0; i < examples.size(); ++i) {
    for (size_t k = 0; k < kFeatures; ++k) {
      means_[k] += weight(i) * examples[i][k];
      deviations_[k] += weight(i) * examples[i][k] * examples[i][k];
    }
  }
  for (size_t k = 0; k < kFeatures; ++k) {
    deviations_[k] = std::sqrt(std::max(deviations_[k] - means_[k] * means_[k], 1e-12));
  }
  constexpr double kRate = 1.0;
  constexpr double kMomentum = 0.9;
  Features speed = {};
  double bias_speed = 0;
  for (int step = 0; step < kSteps; ++step) {
    Features gradient = {};
    double bias_gradient = 0;
    for (size_t i = 0; i < examples.size(); ++i) {
      const double error = weight(i) * (sigmoid(score_of(examples[i])) - (i < pairs ? 1.0 : 0.0));
      bias_gradient += error;
      for (size_t k = 0; k < kFeatures; ++k) {
        gradient[k] += error * (examples[i][k] - means_[k]) / deviations_[k];
      }
    }
    bias_speed = kMomentum * bias_speed - kRate * bias_gradient;
    bias_ += bias_speed;
    for (size_t k = 0; k < kFeatures; ++k) {
      speed[k] = kMomentum * speed[k] - kRate * gradient[k];
      weights_[k] += speed[k];
    }
  }
}

/// Compares how the scores of pairs and of decoys are distributed.
void PairRelation::compare(const std::vector<Example>& examples, size_t pairs) {
  std::vector<double> scores;
  std::vector<double> decoy_scores;
  for (size_t i = 0; i < examples.size(); ++i) {
    (i < pairs ? scores : decoy_scores).push_back(examples[i].score);
  }
  std::sort(scores.begin(), scores.end());
  std::sort(decoy_scores.begin(), decoy_scores.end());
  const auto share_below = [](const std::vector<double>& sorted, double score) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), score);
    return static_cast<double>(place - sorted.begin()) / static_cast<double>(sorted.size());
  };
  const auto quantile = [](const std::vector<double>& sorted, double share) {
    return sorted[static_cast<size_t>(share * static_cast<double>(sorted.size() - 1))];
  };
  reliable_ = share_below(decoy_scores, quantile(scores, 0.5)) > kMinSeparation;
  // Good pairs score low as well, but hardly as low as half of the decoys.
  random_share_ = 1;
  for (const double share : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}) {
    random_share_ =
        std::min(random_share_, share_below(scores, quantile(decoy_scores, share)) / share);
  }
  random_share_ = std::max(random_share_, kMinRandomShare);
}

PairRelation::PairRelation(const std::vector<SampledPair>& sample) {
  if (sample.size() < kMinRelationPairs) return;
  std::vector<Example> examples;
  double difference = 0;
  for (const auto& pair : sample) {
    examples.push_back({association_.words_of(pair.source, pair.target, true),
                        log_length(pair.source), log_length(pair.target)});
    difference += examples.back().target_length - examples.back().source_length;
  }
  length_difference_ = difference / static_cast<double>(sample.size());
  // Decoys: sources with the target of another pair, learned from like the rest, or they would
  // score lower than the random pairs of a corpus. Far apart, since neighbors may be of one text.
  const size_t decoys = std::min(kMaxDecoys, sample.size() / 10);
  for (size_t decoy = 0; decoy < decoys; ++decoy) {
    const size_t source = decoy * (sample.size() / decoys);
    const size_t target = (source + sample.size() * 3 / 7 + 1) % sample.size();
    examples.push_back({{examples[source].words.source, examples[target].words.target},
                        examples[source].source_length,
                        examples[target].target_length,
                        {source, target}});
  }
  examine(examples, sample.size());
  // Learns again without pairs that seem random, which improves the rest.
  if (random_share_ > kManyRandom) {
    for (auto& example : examples) example.learned = random_probability(example.score) < 0.5;
    examine(examples, sample.size());
  }
  for (size_t i = 0; i < sample.size(); ++i) {
    if (examples[i].learned) learned_.insert(sample[i].line);
  }
}

/// Learns from the examples, of which those from `pairs` on are decoys, and scores them.
void PairRelation::examine(std::vector<Example>& examples, size_t pairs) {
  std::vector<const WordAssociation::Pair*> learned;
  for (const auto& example : examples) {
    if (example.learned) learned.push_back(&example.words);
  }
  association_.learn(learned);
  std::vector<Features> features;
  for (const auto& example : examples) {
    std::vector<const Example*> used = {&example};
    for (const size_t part : example.parts) used.push_back(&examples[part]);
    const auto contribute = [&](float times) {
      for (const auto* own : used) {
        if (own->learned) association_.contribute(own->words, times);
      }
    };
    contribute(-1);
    features.push_back(features_of(example.words, example.source_length, example.target_length));
    contribute(1);
  }
  fit(features, pairs);
  for (size_t i = 0; i < examples.size(); ++i) examples[i].score = score_of(features[i]);
  compare(examples, pairs);
}

double PairRelation::score(int64_t line, std::string_view source, std::string_view target) {
  const auto words = association_.words_of(source, target, false);
  const bool learned = learned_.count(line) > 0;
  if (learned) association_.contribute(words, -1);
  const double score = score_of(features_of(words, log_length(source), log_length(target)));
  if (learned) association_.contribute(words, 1);
  return score;
}

double PairRelation::random_probability(double score) const {
  return std::min(1.0, random_share_ * std::exp(-score));
}

}  // namespace nmt
