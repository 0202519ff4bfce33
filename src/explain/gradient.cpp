#include "explain/gradient.h"

#include <cmath>

#include "errors/error.h"

namespace nmt {
namespace {

GradientMeasure g_gradient_measure = nullptr;

/// M x
Row applied(const WorkedMatrix& matrix, const Row& x) {
  return transposed(product(matrix, transposed({x}))).front();
}

/// a bᵀ
WorkedMatrix outer(const Row& a, const Row& b) { return product(transposed({a}), {b}); }

}  // namespace

SmallDecoder small_decoder() {
  return {{{1, 0}, {0, 1}, {1, 1}}, {1, 2}, {{1, 0, 0, 1}, {0, 1, 1, 0}, {1, -1, 0, 0}}, 1};
}

SmallForward run_forward(const SmallDecoder& decoder) {
  SmallForward forward;
  forward.scores = applied(decoder.states, decoder.query);
  forward.weights = softmax({forward.scores}).front();
  forward.context = weighted_sum({forward.weights}, decoder.states).front();
  forward.joined = side_by_side({{forward.context}, {decoder.query}}).front();
  forward.logits = applied(decoder.output, forward.joined);
  forward.probabilities = softmax({forward.logits}).front();
  forward.loss = -std::log(forward.probabilities[decoder.target]);
  return forward;
}

SmallBackward run_backward(const SmallDecoder& decoder, const SmallForward& forward) {
  SmallBackward backward;
  backward.logits = forward.probabilities;
  backward.logits[decoder.target] -= 1.0;
  backward.output = outer(backward.logits, forward.joined);
  backward.joined = applied(transposed(decoder.output), backward.logits);
  const size_t width = decoder.query.size();
  const auto half = backward.joined.begin() + static_cast<std::ptrdiff_t>(width);
  backward.context.assign(backward.joined.begin(), half);
  backward.joined_query.assign(half, backward.joined.end());
  backward.weights = applied(decoder.states, backward.context);
  double mean = 0.0;
  for (size_t i = 0; i < forward.weights.size(); ++i) {
    mean += forward.weights[i] * backward.weights[i];
  }
  for (size_t i = 0; i < forward.weights.size(); ++i) {
    backward.scores.push_back(forward.weights[i] * (backward.weights[i] - mean));
  }
  backward.query = applied(transposed(decoder.states), backward.scores);
  for (size_t k = 0; k < width; ++k) backward.query[k] += backward.joined_query[k];
  backward.states = outer(forward.weights, backward.context);
  const auto by_scores = outer(backward.scores, decoder.query);
  for (size_t i = 0; i < by_scores.size(); ++i) {
    for (size_t k = 0; k < width; ++k) backward.states[i][k] += by_scores[i][k];
  }
  return backward;
}

std::vector<CheckedDerivative> check_derivatives(const SmallDecoder& decoder) {
  auto moved = decoder;
  const auto backward = run_backward(decoder, run_forward(decoder));
  std::vector<CheckedDerivative> checked;
  const auto check = [&](const std::string& name, double& value, double analytic) {
    const double original = value;
    const auto loss_at = [&](double w) {
      value = w;
      return run_forward(moved).loss;
    };
    checked.push_back({name, analytic, finite_difference(loss_at, original)});
    value = original;
  };
  const auto check_all = [&](const std::string& name, WorkedMatrix& values,
                             const WorkedMatrix& analytic) {
    for (size_t i = 0; i < values.size(); ++i) {
      for (size_t k = 0; k < values[i].size(); ++k) {
        check(name + "[" + std::to_string(i + 1) + ", " + std::to_string(k + 1) + "]", values[i][k],
              analytic[i][k]);
      }
    }
  };
  for (size_t k = 0; k < moved.query.size(); ++k) {
    check("q[" + std::to_string(k + 1) + "]", moved.query[k], backward.query[k]);
  }
  check_all("H", moved.states, backward.states);
  check_all("W", moved.output, backward.output);
  return checked;
}

void set_gradient_measure(GradientMeasure measure) { g_gradient_measure = measure; }

GradientMeasure gradient_measure() {
  if (g_gradient_measure == nullptr) {
    throw Error("explain gradient: this program lacks LibTorch; install the package nmt-torch");
  }
  return g_gradient_measure;
}

}  // namespace nmt
