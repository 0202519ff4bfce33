#include "explain/gru.h"

#include <array>
#include <cmath>

namespace nmt {
namespace {

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

using GateRows = std::array<Row, 3>;  // r, z, n

/// (y − mean) / √(variance + 1e-5) over the gates together.
void normalize(GateRows& rows) {
  double count = 0;
  double sum = 0;
  double squares = 0;
  for (const auto& row : rows) {
    for (const double y : row) {
      ++count;
      sum += y;
      squares += y * y;
    }
  }
  const double mean = sum / count;
  const double deviation = std::sqrt(squares / count - mean * mean + 1e-5);
  for (auto& row : rows) {
    for (auto& y : row) y = (y - mean) / deviation;
  }
}

/// x W + b of each gate, or LN(x W; gain, b).
GateRows sums_of(const GruWeights& weights, GruSide GruGate::*side, const Row& x) {
  const std::array<const GruSide*, 3> sides = {&(weights.reset.*side), &(weights.update.*side),
                                               &(weights.candidate.*side)};
  const bool normalized = !sides[0]->gain.empty();
  GateRows rows;
  for (size_t g = 0; g < sides.size(); ++g) rows[g] = product({x}, sides[g]->weight).front();
  if (normalized) normalize(rows);
  for (size_t g = 0; g < sides.size(); ++g) {
    for (size_t i = 0; i < rows[g].size(); ++i) {
      rows[g][i] = (normalized ? sides[g]->gain[i] : 1.0) * rows[g][i] + sides[g]->bias[i];
    }
  }
  return rows;
}

}  // namespace

GruSteps run_gru(const GruWeights& weights, const WorkedMatrix& inputs) {
  GruSteps steps;
  Row state(weights.update.input.bias.size(), 0.0);
  for (const auto& input : inputs) {
    steps.before.push_back(state);
    auto [reset, update, candidate] = sums_of(weights, &GruGate::input, input);
    const auto of_state = sums_of(weights, &GruGate::state, state);
    for (size_t i = 0; i < state.size(); ++i) {
      reset[i] = sigmoid(reset[i] + of_state[0][i]);
      update[i] = sigmoid(update[i] + of_state[1][i]);
      candidate[i] = std::tanh(candidate[i] + reset[i] * of_state[2][i]);
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
