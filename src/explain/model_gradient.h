#pragma once

#include <cstdint>
#include <vector>

#include "explain/gradient.h"

namespace nmt {

/// By LibTorch on the CPU, a GradientMeasure. Of at most 12 parameters, spread over the network,
/// the element with the largest derivative is checked.
ModelGradients measure_gradients(const StoredModel& model, const std::vector<int32_t>& source,
                                 const std::vector<int32_t>& target);

}  // namespace nmt
