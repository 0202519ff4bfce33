#include "nn/dropout.h"

#include <ATen/ATen.h>

namespace nmt {

at::Tensor drop_units(const at::Tensor& x, double rate, at::Tensor* mask) {
  if (rate == 0) return x;
  if (mask == nullptr) return at::dropout(x, rate, /*train=*/true);
  if (!mask->defined()) *mask = draw_mask(x.size(0), x, rate);
  return x * mask->unsqueeze(1);
}

at::Tensor drop_words(const at::Tensor& embedded, double probability, bool is_training) {
  if (!is_training || probability == 0.0) return embedded;
  const auto ones = at::ones({embedded.size(0), embedded.size(1), 1}, embedded.options());
  return embedded * at::dropout(ones, probability, /*train=*/true);  // [B, T, E]
}

at::Tensor draw_mask(int64_t rows, const at::Tensor& x, double rate) {
  return at::dropout(at::ones({rows, x.size(-1)}, x.options()), rate, /*train=*/true);
}

}  // namespace nmt
