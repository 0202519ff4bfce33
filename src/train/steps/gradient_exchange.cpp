#include "train/steps/gradient_exchange.h"

#include <ATen/ATen.h>

#include <utility>

namespace nmt {

GradientExchange::GradientExchange(ProcessGroup& peers, std::vector<Bucket> buckets)
    : peers_(peers) {
  for (auto& bucket : buckets) {
    sendings_.emplace_back();
    auto& sending = sendings_.back();
    sending.bucket = std::move(bucket);
    if (!sending.bucket.few_rows) continue;
    sending.touched = at::zeros({sending.bucket.gradient.size(0)}, torch::kInt);
  }
}

void GradientExchange::touch(size_t bucket, const torch::Tensor& ids) {
  sendings_[bucket].touched.index_fill_(0, ids.reshape(-1), 1);
}

void GradientExchange::begin() {
  begun_ = true;
  for (auto& sending : sendings_) {
    if (sending.bucket.few_rows) sending.wait_for_touched = peers_.sum_later(sending.touched);
  }
}

void GradientExchange::complete(size_t bucket) {
  if (!begun_) return;
  sendings_[bucket].complete = true;
  send_complete();
}

void GradientExchange::complete_all() {
  for (auto& sending : sendings_) sending.complete = true;
  send_complete();
}

void GradientExchange::send_complete() {
  while (num_sent_ < sendings_.size() && sendings_[num_sent_].complete) {
    send(sendings_[num_sent_]);
    ++num_sent_;
  }
}

void GradientExchange::send(Sending& sending) {
  sending.sent = sending.bucket.gradient;
  if (sending.bucket.few_rows) {
    sending.wait_for_touched();
    sending.rows = sending.touched.nonzero().squeeze(1);
    sending.sent = sending.bucket.gradient.index_select(0, sending.rows);
  }
  sending.wait_for_sent = peers_.sum_later(sending.sent);
}

void GradientExchange::wait() {
  for (size_t i = 0; i < num_sent_; ++i) {
    auto& sending = sendings_[i];
    sending.wait_for_sent();
    sending.complete = false;
    if (!sending.bucket.few_rows) continue;
    sending.bucket.gradient.index_copy_(0, sending.rows, sending.sent);
    sending.touched.zero_();
  }
  num_sent_ = 0;
  begun_ = false;
}

}  // namespace nmt
