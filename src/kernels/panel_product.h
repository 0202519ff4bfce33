#pragma once

#include <vector>

#include "kernels/matrix.h"

namespace nmt {

/// The weight [O, I] of a linear layer in panels of 16 outputs, [⌈O/16⌉, I, 16], padded with zeros:
/// the order in which multiply_panels() reads it.
std::vector<float> pack_panels(ConstMatrix weight);

/// y [N, O] = x [N, I] Wᵀ in float32, W being packed in panels. Each y_ij is summed over
/// k = 0, 1, 2, … whatever N is, so a row's result never depends on the other rows, to the last
/// bit. BLAS and oneDNN do not promise that: they choose the order of summation by the sizes.
void multiply_panels(ConstMatrix x, const float* panels, Matrix y);

}  // namespace nmt
