#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "attentions/equations.h"

namespace nmt {

struct StoredModel;

constexpr double kGradientStep = 1e-5;  // ε

/// The central finite difference (L(w + ε) − L(w − ε)) / 2ε of a loss L(w).
template <typename Loss>
double finite_difference(const Loss& loss, double w) {
  return (loss(w + kGradientStep) - loss(w - kGradientStep)) / (2 * kGradientStep);
}

/// A derivative of the loss by back-propagation and by finite difference.
struct CheckedDerivative {
  std::string name;  // of the element
  double analytic = 0.0;
  double numeric = 0.0;
};

/// One step of a decoder small enough for pencil and paper: dot attention and an output layer.
struct SmallDecoder {
  WorkedMatrix states;  // H [S, d]
  Row query;            // q [d]
  WorkedMatrix output;  // W [V, 2d]
  size_t target = 0;    // y
};

struct SmallForward {
  Row scores;         // s = H q [S]
  Row weights;        // a = softmax(s) [S]
  Row context;        // c = Hᵀ a [d]
  Row joined;         // [c ; q] [2d]
  Row logits;         // z = W [c ; q] [V]
  Row probabilities;  // p = softmax(z) [V]
  double loss = 0.0;  // L = −ln p_y
};

/// The gradient of the loss L with respect to each number.
struct SmallBackward {
  Row logits;           // p − 1_y [V]
  WorkedMatrix output;  // ∂L/∂z [c ; q]ᵀ [V, 2d]
  Row joined;           // Wᵀ ∂L/∂z: of [c ; q] [2d]
  Row context;          // its first half [d]
  Row joined_query;     // its second half: the direct path to q [d]
  Row weights;          // H ∂L/∂c [S]
  Row scores;           // a ⊙ (∂L/∂a − Σ_j a_j ∂L/∂a_j) [S]
  Row query;            // Hᵀ ∂L/∂s + joined_query [d]
  WorkedMatrix states;  // a ∂L/∂cᵀ + ∂L/∂s qᵀ [S, d]
};

SmallDecoder small_decoder();
SmallForward run_forward(const SmallDecoder& decoder);
SmallBackward run_backward(const SmallDecoder& decoder, const SmallForward& forward);

/// Checks the derivative by every number of the decoder.
std::vector<CheckedDerivative> check_derivatives(const SmallDecoder& decoder);

struct ParameterGradient {
  std::string name;
  std::vector<int64_t> shape;
  double norm = 0.0;
};

/// The gradient of −log p(y | x) of one sentence pair, in float64.
struct ModelGradients {
  double loss = 0.0;
  int64_t num_tokens = 0;                     // of the target, EOS included
  std::vector<ParameterGradient> parameters;  // each once, in the order of the network
  std::vector<CheckedDerivative> checked;     // the largest derivative of some parameters
};

using GradientMeasure = ModelGradients (*)(const StoredModel& model,
                                           const std::vector<int32_t>& source,
                                           const std::vector<int32_t>& target);

/// Sets how gradients are measured. A program that links LibTorch passes measure_gradients
/// (explain/model_gradient.h) at start-up.
void set_gradient_measure(GradientMeasure measure);

/// The measure that was set; throws Error if there is none.
GradientMeasure gradient_measure();

}  // namespace nmt
