#include "train/steps/gradient_buckets.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/utils/lambda_post_hook.h>

#include <utility>

namespace nmt {

struct GradientBuckets::Pass {
  std::vector<size_t> missing;  // gradients of each bucket
  std::function<void(size_t)> complete;
};

GradientBuckets::GradientBuckets(std::vector<torch::Tensor> parameters,
                                 std::function<void(size_t)> complete)
    : parameters_(std::move(parameters)),
      bucket_of_(parameters_.size()),
      pass_(std::make_shared<Pass>()) {
  pass_->complete = std::move(complete);
  make_buckets();
  begin_pass();
  add_hooks();
}

GradientBuckets::~GradientBuckets() {
  pass_->complete = [](size_t) {};
  for (auto& parameter : parameters_) parameter.mutable_grad() = torch::Tensor();
}

void GradientBuckets::make_buckets() {
  size_t end = parameters_.size();
  while (end > 0) {
    int64_t size = 0;
    size_t begin = end;
    while (begin > 0 && (begin == end || size + parameters_[begin - 1].numel() <= kBucketSize)) {
      size += parameters_[--begin].numel();
    }
    const auto bucket = at::zeros({size}, parameters_[begin].options().requires_grad(false));
    int64_t offset = 0;
    for (size_t i = begin; i < end; ++i) {
      const int64_t count = parameters_[i].numel();
      parameters_[i].mutable_grad() = bucket.narrow(0, offset, count).view(parameters_[i].sizes());
      bucket_of_[i] = buckets_.size();
      offset += count;
    }
    buckets_.push_back(bucket);
    count_.push_back(end - begin);
    end = begin;
  }
}

/// autograd accumulates each parameter's gradient in a node, whose hook runs afterwards.
void GradientBuckets::add_hooks() {
  using torch::autograd::utils::LambdaPostHook;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    auto sink = torch::autograd::impl::grad_accumulator(parameters_[i]);
    sink->add_post_hook(std::make_unique<LambdaPostHook>(
        [pass = pass_, bucket = bucket_of_[i]](const auto& outputs, const auto&) {
          if (--pass->missing[bucket] == 0) pass->complete(bucket);
          return outputs;
        }));
    sinks_.push_back(std::move(sink));
  }
}

void GradientBuckets::begin_pass() { pass_->missing = count_; }

void GradientBuckets::clear() {
  for (auto& bucket : buckets_) bucket.zero_();
}

}  // namespace nmt
