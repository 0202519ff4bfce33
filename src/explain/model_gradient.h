#pragma once

#include <cstdint>
#include <vector>

#include "explain/gradient.h"

namespace nmt {

/// A GradientMeasure that uses LibTorch on the CPU. In at most 24 parameters, spread over the
/// network, checks the element with the largest derivative.
ModelGradients measure_gradients(const StoredModel& model, const std::vector<int32_t>& source,
                                 const std::vector<int32_t>& target);

}  // namespace nmt
