#include "decode/step_results.h"

#include <ATen/ATen.h>
#include <c10/util/accumulate.h>

#include <algorithm>

#include "nn/cuda/best_tokens.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

/// As best_tokens(), of any number of tokens, but with ties in no particular order.
void sort_best(const torch::Tensor& scores, int64_t count, const torch::Tensor& found) {
  const auto [values, indices] = scores.topk(count, 1);  // [N, count]
  const auto tokens = found[0], numbers = found[1].view(torch::kFloat);
  tokens.narrow(1, 0, count).copy_(indices);
  tokens.select(1, count).fill_(kEosId);
  numbers.narrow(1, 0, count).copy_(values);
  numbers.select(1, count).copy_(scores.select(1, kEosId));
}

}  // namespace

const torch::Tensor& HostBuffer::take(at::IntArrayRef shape, torch::ScalarType type) {
  if (tensor_.defined() && tensor_.sizes() == shape) return tensor_;
  const int64_t size = c10::multiply_integers(shape);
  if (!memory_.defined() || memory_.numel() < size) {
    memory_ = torch::empty({size}, torch::dtype(type).pinned_memory(is_pinned_));
  }
  tensor_ = memory_.narrow(0, 0, size).view(shape);
  return tensor_;
}

void StepResults::read(const StepperOutput& output, int64_t num_best, bool keeps_attention) {
  const auto& scores = output.log_probabilities;
  const int64_t count = std::min(num_best, scores.size(1));
  const auto found =
      torch::empty({2, scores.size(0), count + 1}, scores.options().dtype(torch::kInt));
  if (output.normalized) {
    sort_best(scores, count, found);
  } else {
    best_tokens(scores, count, kEosId, found);
  }
  queue_attention(keeps_attention ? output.attention : torch::Tensor());
  take(found, /*non_blocking=*/false);  // waits for the attention, too
}

void StepResults::queue(const torch::Tensor& found, const torch::Tensor& attention) {
  queue_attention(attention);
  take(found, /*non_blocking=*/true);
}

void StepResults::take(const torch::Tensor& found, bool non_blocking) {
  count_ = found.size(2) - 1;
  found_ = found.is_cpu() && !non_blocking  // nothing overwrites it
               ? found
               : found_buffer_.take(found.sizes(), torch::kInt).copy_(found, non_blocking);
  tokens_ = found_.data_ptr<int32_t>();
  log_probabilities_ = reinterpret_cast<const float*>(tokens_ + found_.stride(0));
}

void StepResults::queue_attention(const torch::Tensor& attention) {
  source_length_ = attention.defined() ? attention.size(1) : 0;
  if (!attention.defined()) return;
  attention_ = attention_buffer_.take(attention.sizes(), torch::kFloat);
  attention_.copy_(attention.to(torch::kFloat), /*non_blocking=*/true);
}

void StepResults::copy_best(int64_t row, TopTokens& top) const {
  const int64_t first = row * (count_ + 1);
  top.best.resize(static_cast<size_t>(count_));
  for (int64_t i = 0; i < count_; ++i) {
    top.best[static_cast<size_t>(i)] = {tokens_[first + i], log_probabilities_[first + i]};
  }
  top.set_denominator(0.0F);  // with a language model they do not sum to 1
}

std::vector<float> StepResults::attention(int64_t row) const {
  if (source_length_ == 0) return {};
  const auto* weights = attention_.data_ptr<float>() + row * source_length_;
  return {weights, weights + source_length_};
}

}  // namespace nmt
