#include "compare/paired_bootstrap.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "numbers/random.h"

namespace nmt {
namespace {

SentenceCounts sum_over(const std::vector<SentenceCounts>& sentences,
                        const std::vector<size_t>& chosen) {
  SentenceCounts sums(sentences.front().size());
  for (const size_t sentence : chosen) {
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += sentences[sentence][i];
  }
  return sums;
}

double p_value(const std::vector<double>& differences, double difference) {
  if (difference == 0.0) return 1.0;
  const auto count = static_cast<double>(differences.size());
  double mean = 0.0;
  for (const double sample : differences) mean += std::abs(sample) / count;
  const auto exceeding = std::count_if(differences.begin(), differences.end(), [&](double sample) {
    return std::abs(sample) - mean > std::abs(difference);
  });
  return static_cast<double>(exceeding + 1) / (count + 1);
}

}  // namespace

BootstrapResult paired_bootstrap(const std::vector<SentenceCounts>& a,
                                 const std::vector<SentenceCounts>& b, const ScoreOfCounts& score,
                                 int64_t num_samples, uint64_t seed) {
  std::vector<size_t> chosen(a.size());
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  BootstrapResult result;
  result.a = score(sum_over(a, chosen));
  result.b = score(sum_over(b, chosen));
  Random random(seed, 0);
  std::vector<double> differences;
  for (int64_t sample = 0; sample < num_samples; ++sample) {
    for (size_t& sentence : chosen) sentence = static_cast<size_t>(random.below(a.size()));
    differences.push_back(score(sum_over(b, chosen)) - score(sum_over(a, chosen)));
    if (differences.back() < 0) ++result.a_above;
    if (differences.back() > 0) ++result.b_above;
  }
  result.p = p_value(differences, result.b - result.a);
  std::sort(differences.begin(), differences.end());
  const size_t outside = differences.size() / 40;  // 2.5 % on each side
  result.low = differences[outside];
  result.high = differences[differences.size() - 1 - outside];
  return result;
}

}  // namespace nmt
