#pragma once

#include <ATen/ATen.h>
#include <torch/types.h>

#include "support/test_device.h"

namespace nmt {

// Two sentences of 5 and 2 tokens, and what a decoder is fed for them. Lengths stay on the CPU.
inline const auto kSource = [] {
  return on_device(torch::tensor({{4, 5, 6, 7, 8}, {9, 10, 0, 0, 0}}));
};
inline const auto kLengths = [] { return torch::tensor({5, 2}); };
inline const auto kTargetInput = [] { return on_device(torch::tensor({{2, 5, 6}, {2, 7, 8}})); };

}  // namespace nmt
