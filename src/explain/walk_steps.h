#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "explain/explanation.h"

namespace nmt {

// The steps that the kinds of attention share, with what is said of them.

/// Where the words become vectors.
Step input_step(const LabelledMatrix& vectors, const Text& origin);

/// vectors · weight = result, which are queries, keys or values by its role.
Step projection_step(const LabelledMatrix& vectors, const LabelledMatrix& weight,
                     const LabelledMatrix& result);

/// Every query with every key: dot products.
Step dot_step(const LabelledMatrix& queries, const LabelledMatrix& keys,
              const LabelledMatrix& scores);

/// The same by v and tanh.
Step additive_step(const LabelledMatrix& queries, const LabelledMatrix& keys, const Row& v,
                   const LabelledMatrix& scores);

Step scaling_step(const LabelledMatrix& scores, size_t key_size, const LabelledMatrix& result);

Step mask_step(const LabelledMatrix& scores, const LabelledMatrix& result);

Step softmax_step(const LabelledMatrix& scores, const LabelledMatrix& weights);

Step mixture_step(const LabelledMatrix& weights, const LabelledMatrix& values,
                  const LabelledMatrix& mixtures);

/// The weights as what each word found.
Step dictionary_step(const LabelledMatrix& weights);

/// What softmax makes of scores that are not scaled (k_d = 1).
Step unscaled_step(const LabelledMatrix& weights, const LabelledMatrix& values,
                   const LabelledMatrix& mixtures);

/// The heads joined and mixed by W_output.
Step heads_step(const LabelledMatrix& joined, const LabelledMatrix& weight,
                const LabelledMatrix& result);

/// Nothing attends: the last state answers every question.
Step nothing_step(const LabelledMatrix& weights);

}  // namespace nmt
