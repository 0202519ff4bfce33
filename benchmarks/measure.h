#pragma once

#include <torch/types.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace nmt {

double seconds_of(const std::function<void()>& work);

/// The same, including what the work has queued on this device: a GPU computes asynchronously.
double seconds_of(const torch::Device& device, const std::function<void()>& work);

/// The value below which `share` of the values lie, 0.5: the median; at least one value.
double quantile(std::vector<double> values, double share);

/// The peak growth of this process's memory while `work` runs, in bytes; 0 where the system does
/// not report it (only Linux can reset the peak).
int64_t peak_growth(const std::function<void()>& work);

}  // namespace nmt
