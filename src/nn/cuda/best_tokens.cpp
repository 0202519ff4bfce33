#include "nn/cuda/best_tokens.h"

#include <c10/util/Exception.h>

#include <algorithm>

#include "nn/cuda/device_operations.h"

namespace nmt {

void best_tokens(const torch::Tensor& logits, int64_t count, int32_t other,
                 const torch::Tensor& found) {
  TORCH_CHECK(count <= std::min(kMaxBestTokens, logits.size(1)), "too many best tokens: ", count);
  TORCH_CHECK(logits.is_contiguous() && found.is_contiguous(), "rows with gaps");
  BestTokens best;
  best.rows = logits.size(0);
  best.vocabulary_size = logits.size(1);
  best.count = count;
  best.logits = logits.data_ptr();
  best.other = other;
  best.stride = count + 1;
  best.tokens = found.data_ptr<int32_t>();
  best.log_probabilities =
      reinterpret_cast<float*>(found.data_ptr<int32_t>() + best.rows * best.stride);
  make_step_operations(logits)->find_best_tokens(best);
}

}  // namespace nmt
