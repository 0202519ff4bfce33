#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attentions/step.h"

namespace nmt {

// Steps shared by the kinds of attention, with their explanations.

/// Words become vectors.
Step input_step(const LabelledMatrix& vectors, const Text& origin);

/// vectors · weight = result: queries, keys or values, by the role of the result.
Step projection_step(const LabelledMatrix& vectors, const LabelledMatrix& weight,
                     const LabelledMatrix& result);

/// Dot products of every query with every key.
Step dot_step(const LabelledMatrix& queries, const LabelledMatrix& keys,
              const LabelledMatrix& scores);

/// Scores vᵀ tanh(q + k).
Step additive_step(const LabelledMatrix& queries, const LabelledMatrix& keys, const Row& v,
                   const LabelledMatrix& scores);

Step scaling_step(const LabelledMatrix& scores, size_t key_size, const LabelledMatrix& result);

/// The position p_t = n sigmoid(vᵀ tanh(x_t)) in a sentence of n words; x = vectors · weight.
Step position_step(const LabelledMatrix& vectors, const LabelledMatrix& weight, const Row& v,
                   const LabelledMatrix& positions);

/// The t-th query looks around the t-th word.
Step monotonic_step(const LabelledMatrix& positions);

/// A key for each position.
Step location_step(const LabelledMatrix& keys);

/// Masks the scores of words further than `half_width` from the position.
Step window_step(const LabelledMatrix& scores, const LabelledMatrix& positions, int half_width,
                 const LabelledMatrix& result);

Step softmax_step(const LabelledMatrix& scores, const LabelledMatrix& weights);

/// Weights times a Gaussian of deviation half_width / 2 around the position.
Step gaussian_step(const LabelledMatrix& weights, const LabelledMatrix& positions, int half_width,
                   const LabelledMatrix& result);

Step mixture_step(const LabelledMatrix& weights, const LabelledMatrix& values,
                  const LabelledMatrix& mixtures);

/// Reads the weights as look-ups in a soft dictionary.
Step dictionary_step(const LabelledMatrix& weights);

/// For comparison: the softmax of the same scores without scaling.
Step unscaled_step(const LabelledMatrix& weights, const LabelledMatrix& values,
                   const LabelledMatrix& mixtures);

/// Concatenates the heads and mixes them with W_O.
Step heads_step(const LabelledMatrix& joined, const LabelledMatrix& weight,
                const LabelledMatrix& result);

/// Without attention: all weight on the last state.
Step nothing_step(const LabelledMatrix& weights);

}  // namespace nmt
