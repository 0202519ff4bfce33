#include "nn/dropout.h"

#include <ATen/ATen.h>

namespace nmt {

at::Tensor drop_units(const at::Tensor& x, double rate, at::Tensor* mask) {
  if (rate == 0) return x;
  if (mask == nullptr) return at::dropout(x, rate, /*train=*/true);
  if (!mask->defined()) *mask = draw_mask(x.size(0), x, rate);
  return x * mask->unsqueeze(1);
}

at::Tensor draw_mask(int64_t rows, const at::Tensor& x, double rate) {
  return at::dropout(at::ones({rows, x.size(-1)}, x.options()), rate, /*train=*/true);
}

}  // namespace nmt
