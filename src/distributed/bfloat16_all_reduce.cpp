#include "distributed/bfloat16_all_reduce.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace nmt {
namespace {

// Gloo sends longer messages between two processes at half of the speed (docs/lab-notes.md).
constexpr int64_t kLongestRow = 1 << 16;

}  // namespace

Bfloat16AllReduce::Bfloat16AllReduce(ProcessGroup& group, const torch::Tensor& tensor)
    : group_(group), tensor_(tensor) {
  const int64_t processes = group.size();
  const int64_t row = std::min(kLongestRow, (tensor.numel() + processes - 1) / processes);
  const int64_t block = processes * row;
  const int64_t blocks = row == 0 ? 0 : (tensor.numel() + block - 1) / block;
  // The last block ends with zeros where the blocks would not be equal.
  auto rows = at::zeros({blocks, processes, row}, tensor.options().dtype(torch::kBFloat16));
  rows.view(-1).narrow(0, 0, tensor.numel()).copy_(tensor.reshape(-1));
  exchange(rows);
}

void Bfloat16AllReduce::send_sum() {
  wait_for_received();
  auto sum = received_.select(1, 0).to(torch::kFloat);  // [B, S]
  for (int64_t rank = 1; rank < received_.size(1); ++rank) sum.add_(received_.select(1, rank));
  exchange(sum.to(torch::kBFloat16).unsqueeze(1).expand_as(received_).contiguous());
}

void Bfloat16AllReduce::wait() {
  wait_for_received();
  tensor_.copy_(received_.view(-1).narrow(0, 0, tensor_.numel()).view(tensor_.sizes()));
}

void Bfloat16AllReduce::exchange(const torch::Tensor& rows) {
  received_ = at::empty_like(rows);
  // LibTorch 1.13 exchanges no bfloat16.
  const auto bytes = [](const torch::Tensor& block) { return block.view(torch::kByte); };
  for (int64_t block = 0; block < rows.size(0); ++block) {
    waits_.push_back(group_.all_to_all_async(bytes(received_[block]), bytes(rows[block])));
  }
}

void Bfloat16AllReduce::wait_for_received() {
  for (const auto& wait : waits_) wait();
  waits_.clear();
}

}  // namespace nmt
