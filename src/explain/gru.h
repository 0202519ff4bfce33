#pragma once

#include "attentions/equations.h"

namespace nmt {

/// The parameters of a gate of a GRU that meet the input, or those that meet the state.
struct GruSide {
  WorkedMatrix weight;  // [I, D] or [D, D]
  Row bias;             // [D]
  Row gain = {};        // [D], of layer normalization; empty without
};

struct GruGate {
  GruSide input;
  GruSide state;
};

struct GruWeights {
  GruGate reset;
  GruGate update;
  GruGate candidate;
};

/// Every step of a GRU; rows are words, [T, D].
struct GruSteps {
  WorkedMatrix before;     // h_{t−1}; the first is 0
  WorkedMatrix reset;      // r_t
  WorkedMatrix update;     // z_t
  WorkedMatrix candidate;  // n_t
  WorkedMatrix after;      // h_t
};

/// The equations of nn/recurrent_cell.h on plain numbers: inputs [T, I].
GruSteps run_gru(const GruWeights& weights, const WorkedMatrix& inputs);

/// [T, T] the share of word i's candidate in the state h_t, as the mean over its units; 0 for later
/// words. Since h_t = (1 − z_t) n_t + z_t h_{t−1}, it is (1 − z_i) Π_{i<j≤t} z_j. A row sums to
/// less than 1: the rest is the share of the initial state of zeros.
WorkedMatrix remembered(const GruSteps& steps);

}  // namespace nmt
