#include "train/steps/gradient_exchange.h"

#include <ATen/ATen.h>

#include <memory>
#include <utility>

#include "distributed/bfloat16_all_reduce.h"

namespace nmt {

GradientExchange::GradientExchange(ProcessGroup& group, std::vector<Bucket> buckets,
                                   GradientCompression compression)
    : group_(group), compression_(compression) {
  for (auto& bucket : buckets) {
    auto& transfer = transfers_.emplace_back();
    transfer.bucket = std::move(bucket);
    if (!transfer.bucket.sparse_rows) continue;
    transfer.row_counts = at::zeros({transfer.bucket.gradient.size(0)}, torch::kInt);
  }
}

void GradientExchange::add_sparse_rows(size_t bucket, const torch::Tensor& rows) {
  transfers_[bucket].row_counts.index_fill_(0, rows.reshape(-1), 1);
}

void GradientExchange::begin() {
  begun_ = true;
  for (auto& transfer : transfers_) {
    if (transfer.bucket.sparse_rows)
      transfer.wait_for_row_counts = group_.all_reduce_async(transfer.row_counts);
  }
}

void GradientExchange::complete(size_t bucket) {
  if (!begun_) return;
  transfers_[bucket].complete = true;
  send_complete();
}

void GradientExchange::complete_all() {
  for (auto& transfer : transfers_) transfer.complete = true;
  send_complete();
}

void GradientExchange::send_complete() {
  while (num_sent_ < transfers_.size() && transfers_[num_sent_].complete) {
    send(transfers_[num_sent_]);
    // This bucket is on its way while the one before it is summed.
    if (num_sent_ > 0) transfers_[num_sent_ - 1].send_sum();
    ++num_sent_;
  }
}

void GradientExchange::send(Transfer& transfer) {
  transfer.sent = transfer.bucket.gradient;
  if (transfer.bucket.sparse_rows) {
    transfer.wait_for_row_counts();
    transfer.rows = transfer.row_counts.nonzero().squeeze(1);
    transfer.sent = transfer.bucket.gradient.index_select(0, transfer.rows);
  }
  if (compression_ == GradientCompression::kBfloat16) {
    const auto reduced = std::make_shared<Bfloat16AllReduce>(group_, transfer.sent);
    transfer.send_sum = [reduced] { reduced->send_sum(); };
    transfer.wait_for_sent = [reduced] { reduced->wait(); };
  } else {
    transfer.send_sum = [] {};
    transfer.wait_for_sent = group_.all_reduce_async(transfer.sent);
  }
}

void GradientExchange::wait() {
  if (num_sent_ > 0) transfers_[num_sent_ - 1].send_sum();
  for (size_t i = 0; i < num_sent_; ++i) {
    auto& transfer = transfers_[i];
    transfer.wait_for_sent();
    transfer.send_sum = transfer.wait_for_sent = {};  // they hold references to what was sent
    transfer.complete = false;
    if (!transfer.bucket.sparse_rows) continue;
    transfer.bucket.gradient.index_copy_(0, transfer.rows, transfer.sent);
    transfer.row_counts.zero_();
  }
  num_sent_ = 0;
  begun_ = false;
}

}  // namespace nmt
