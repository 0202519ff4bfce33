#pragma once

#include "attentions/equations.h"

namespace nmt {

/// One gate of a GRU: its columns of the input's weight [I, D], of the state's [D, D], and biases
/// [D].
struct GruGate {
  WorkedMatrix input_weight;
  WorkedMatrix state_weight;
  Row input_bias;
  Row state_bias;
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

/// The equations of nn/recurrent.h on plain numbers: inputs [T, I].
GruSteps run_gru(const GruWeights& weights, const WorkedMatrix& inputs);

/// How much of the candidate of word i the state h_t holds, mean over its units: [T, T], 0 for
/// later words. h_t = (1 − z_t) n_t + z_t h_{t−1}, so it is (1 − z_i) Π_{i<j≤t} z_j. What a row
/// lacks of 1 is of the zeros before the first word.
WorkedMatrix remembered(const GruSteps& steps);

}  // namespace nmt
