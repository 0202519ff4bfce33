#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "decode/stepper.h"
#include "kernels/top_tokens.h"

namespace nmt {

/// CPU memory for copies to and from a device; pinned for a GPU, which copies asynchronously.
class HostBuffer {
 public:
  explicit HostBuffer(const torch::Device& device) : is_pinned_(device.is_cuda()) {}

  /// An uninitialized tensor, valid until the next call.
  const torch::Tensor& take(at::IntArrayRef shape, torch::ScalarType type);

 private:
  bool is_pinned_;
  torch::Tensor memory_, tensor_;
};

/// What the CPU reads of a step: the best tokens of each row and EOS, with their log-probabilities,
/// and the attention, if it is kept. It is chosen on the model's device, since copying all of it
/// would take longer.
class StepResults {
 public:
  explicit StepResults(const torch::Device& device)
      : found_buffer_(device), attention_buffer_(device) {}

  /// Selects the best tokens, copies the results and waits for them.
  void read(const StepperOutput& output, int64_t num_best, bool keeps_attention);

  /// Queues the copy of what best_tokens() has found, [2, N, count + 1], and of the attention
  /// [N, S], which may be undefined. Both may be overwritten by what is queued later.
  void queue(const torch::Tensor& found, const torch::Tensor& attention);

  /// Likewise the attention alone.
  void queue_attention(const torch::Tensor& attention);

  void copy_best(int64_t row, TopTokens& top) const;

  /// The log-probability of EOS.
  float end(int64_t row) const { return log_probabilities_[row * (count_ + 1) + count_]; }

  /// [S]; empty if it is not kept.
  std::vector<float> attention(int64_t row) const;

 private:
  void take(const torch::Tensor& found, bool non_blocking);

  HostBuffer found_buffer_, attention_buffer_;
  torch::Tensor found_;  // [2, N, count + 1]  of best_tokens(): what follows points into it
  const int32_t* tokens_ = nullptr;
  const float* log_probabilities_ = nullptr;
  torch::Tensor attention_;  // [N, S]
  int64_t count_ = 0, source_length_ = 0;
};

}  // namespace nmt
