#include "kernels/token_loss_row.h"

#include <cmath>
#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

constexpr size_t kVocabulary = 53;  // vectors of 16, 8 and 4 leave a rest
constexpr size_t kTarget = 7;
constexpr float kDivergence = 0.75F;
constexpr TokenWeights kWeights{0.9F, 0.2F};

/// From −6 to 6, in an order of the seed.
std::vector<double> values(size_t seed) {
  std::vector<double> result(kVocabulary);
  for (size_t i = 0; i < kVocabulary; ++i) {
    result[i] = static_cast<double>((i * 37 + seed * 11) % kVocabulary) * 12 / kVocabulary - 6;
  }
  return result;
}

/// log softmax(logits + bias)
std::vector<double> log_probabilities(std::vector<double> logits, const std::vector<double>& bias) {
  double sum = 0;
  for (size_t v = 0; v < kVocabulary; ++v) sum += std::exp(logits[v] += bias[v]);
  for (auto& logit : logits) logit -= std::log(sum);
  return logits;
}

double cross_entropy(const std::vector<double>& log_p) {
  double sum = 0;
  for (const double value : log_p) sum += value;
  return -double{kWeights.target} * log_p[kTarget] -
         double{kWeights.uniform} * sum / double{kVocabulary};
}

/// The definition, in double precision.
double pair_objective(const std::vector<double>& p, const std::vector<double>& q,
                      const std::vector<double>& bias) {
  const auto log_p = log_probabilities(p, bias), log_q = log_probabilities(q, bias);
  double divergence = 0;
  for (size_t v = 0; v < kVocabulary; ++v) {
    divergence += std::exp(log_p[v]) * (log_p[v] - log_q[v]);
    divergence += std::exp(log_q[v]) * (log_q[v] - log_p[v]);
  }
  return cross_entropy(log_p) + cross_entropy(log_q) + double{kDivergence} * divergence;
}

std::vector<float> as_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

template <typename Objective>
void require_gradient(const std::vector<float>& gradient, std::vector<double>& values,
                      Objective&& objective) {
  REQUIRE(gradient.size() == values.size());
  for (size_t v = 0; v < values.size(); ++v) {
    const double step = 1e-4, value = values[v];
    values[v] = value + step;
    const double above = objective();
    values[v] = value - step;
    const double below = objective();
    values[v] = value;
    INFO(v);
    REQUIRE(double{gradient[v]} == Approx((above - below) / (2 * step)).margin(2e-6));
  }
}

}  // namespace

TEST_CASE("The gradient of a token's loss is its finite difference", "[kernels]") {
  auto logits = values(1);
  const auto bias = values(4);
  auto gradient = as_floats(logits);
  const float loss =
      token_loss_row(gradient.data(), as_floats(bias).data(), kVocabulary, kTarget, kWeights);
  REQUIRE(double{loss} == Approx(-log_probabilities(logits, bias)[kTarget]));
  require_gradient(gradient, logits,
                   [&] { return cross_entropy(log_probabilities(logits, bias)); });
}

TEST_CASE("The gradients of two predictions that are to agree are finite differences",
          "[kernels]") {
  auto p = values(1), q = values(2);
  const auto bias = values(4);
  auto of_p = as_floats(p), of_q = as_floats(q);
  const float loss = token_loss_row_pair(of_p.data(), of_q.data(), as_floats(bias).data(),
                                         kVocabulary, kTarget, kWeights, kDivergence);
  REQUIRE(double{loss} ==
          Approx(-log_probabilities(p, bias)[kTarget] - log_probabilities(q, bias)[kTarget]));
  const auto objective = [&] { return pair_objective(p, q, bias); };
  require_gradient(of_p, p, objective);
  require_gradient(of_q, q, objective);
}

TEST_CASE("The gradients of a loss with copying are finite differences", "[kernels]") {
  for (const int64_t twice : {int64_t{3}, static_cast<int64_t>(kTarget)}) {
    for (const double initial_gate : {-2.0, 0.3, 30.0}) {
      INFO("token " << twice << "  gate " << initial_gate);
      const std::vector<int64_t> tokens = {twice, 11, twice, 52};
      auto logits = values(1);
      const auto bias = values(4);
      std::vector<double> attention = {0.2, 0.35, 0.05, 0.4};
      std::vector<double> gate = {initial_gate};
      const auto log_mixture = [&] {
        const double generates = 1 / (1 + std::exp(-gate[0]));
        auto mixture = log_probabilities(logits, bias);
        for (auto& value : mixture) value = generates * std::exp(value);
        for (size_t i = 0; i < tokens.size(); ++i) {
          mixture[static_cast<size_t>(tokens[i])] += (1 - generates) * attention[i];
        }
        for (auto& value : mixture) value = std::log(value);
        return mixture;
      };
      auto of_logits = as_floats(logits);
      const auto weights = as_floats(attention);
      std::vector<float> of_attention(tokens.size()), copied(kVocabulary);
      CopyGradient gradient{of_attention.data()};
      const CopySource source{tokens.data(), weights.data(), 4, static_cast<float>(initial_gate)};
      const float loss = copying_loss_row(of_logits.data(), as_floats(bias).data(), kVocabulary,
                                          kTarget, kWeights, source, copied.data(), gradient);
      REQUIRE(double{loss} == Approx(-log_mixture()[kTarget]));
      REQUIRE(copied == std::vector<float>(kVocabulary));
      const auto objective = [&] { return cross_entropy(log_mixture()); };
      require_gradient(of_logits, logits, objective);
      require_gradient(of_attention, attention, objective);
      require_gradient({gradient.gate}, gate, objective);
    }
  }
}

TEST_CASE("A loss with copying is finite where nothing is generated", "[kernels]") {
  const int64_t target = kTarget, other = 3;
  const float all = 1.0F;
  for (const int64_t token : {target, other}) {
    auto logits = as_floats(values(1));
    const std::vector<float> bias(kVocabulary);
    std::vector<float> copied(kVocabulary);
    float of_attention = 0.0F;
    CopyGradient gradient{&of_attention};
    const float loss = copying_loss_row(logits.data(), bias.data(), kVocabulary, target, kWeights,
                                        {&token, &all, 1, -120.0F}, copied.data(), gradient);
    const double generated =
        120 - log_probabilities(values(1), std::vector<double>(kVocabulary))[kTarget];
    REQUIRE(double{loss} == Approx(token == target ? 0.0 : generated));
    REQUIRE(std::isfinite(gradient.gate));
    for (const float value : logits) REQUIRE(std::isfinite(value));
  }
}

}  // namespace nmt
