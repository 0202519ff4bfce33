#include "explain/gru.h"

#include <cmath>

namespace nmt {
namespace {

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// x W + b
Row linear(const Row& x, const WorkedMatrix& weight, const Row& bias) {
  auto y = product({x}, weight).front();
  for (size_t i = 0; i < y.size(); ++i) y[i] += bias[i];
  return y;
}

Row gate(const GruGate& gate, const Row& input, const Row& before) {
  auto sums = linear(input, gate.input_weight, gate.input_bias);
  const auto of_state = linear(before, gate.state_weight, gate.state_bias);
  for (size_t i = 0; i < sums.size(); ++i) sums[i] = sigmoid(sums[i] + of_state[i]);
  return sums;
}

}  // namespace

GruSteps run_gru(const GruWeights& weights, const WorkedMatrix& inputs) {
  GruSteps steps;
  Row state(weights.update.input_bias.size(), 0.0);
  for (const auto& input : inputs) {
    steps.before.push_back(state);
    const auto reset = gate(weights.reset, input, state);
    const auto update = gate(weights.update, input, state);
    auto candidate = linear(input, weights.candidate.input_weight, weights.candidate.input_bias);
    const auto of_state =
        linear(state, weights.candidate.state_weight, weights.candidate.state_bias);
    for (size_t i = 0; i < state.size(); ++i) {
      candidate[i] = std::tanh(candidate[i] + reset[i] * of_state[i]);
      state[i] = (1.0 - update[i]) * candidate[i] + update[i] * state[i];
    }
    steps.reset.push_back(reset);
    steps.update.push_back(update);
    steps.candidate.push_back(candidate);
    steps.after.push_back(state);
  }
  return steps;
}

WorkedMatrix remembered(const GruSteps& steps) {
  const size_t words = steps.update.size();
  const size_t units = steps.update.front().size();
  WorkedMatrix shares(words, Row(words, 0.0));
  for (size_t unit = 0; unit < units; ++unit) {
    for (size_t t = 0; t < words; ++t) {
      double kept = 1.0 / static_cast<double>(units);
      for (size_t i = t + 1; i-- > 0;) {
        shares[t][i] += kept * (1.0 - steps.update[i][unit]);
        kept *= steps.update[i][unit];
      }
    }
  }
  return shares;
}

}  // namespace nmt
