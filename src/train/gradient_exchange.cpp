#include "train/gradient_exchange.h"

#include <utility>

namespace nmt {

GradientExchange::GradientExchange(ProcessGroup& peers, std::vector<torch::Tensor> buckets)
    : peers_(peers), buckets_(std::move(buckets)), complete_(buckets_.size()) {}

void GradientExchange::complete(size_t bucket) {
  if (!sending_) return;
  complete_[bucket] = true;
  send_complete();
}

void GradientExchange::complete_all() {
  complete_.assign(buckets_.size(), true);
  send_complete();
}

void GradientExchange::send_complete() {
  while (sent_.size() < buckets_.size() && complete_[sent_.size()]) {
    sent_.push_back(peers_.sum_later(buckets_[sent_.size()]));
  }
}

void GradientExchange::wait() {
  for (const auto& wait_for_bucket : sent_) wait_for_bucket();
  sent_.clear();
  complete_.assign(buckets_.size(), false);
  sending_ = false;
}

}  // namespace nmt
