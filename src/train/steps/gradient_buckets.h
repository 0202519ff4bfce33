#pragma once

#include <torch/csrc/autograd/variable.h>
#include <torch/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace nmt {

/// Flat memory into which autograd accumulates gradients. Divided into buckets, last parameters
/// first, in the order of a backward pass, so that few large transfers can start early.
class GradientBuckets {
 public:
  static constexpr int64_t kBucketSize = int64_t{1}
                                         << 20;  // maximum floats, unless one parameter has more

  /// `complete` is called during a backward pass once all gradients of a bucket are accumulated. It
  /// is not called for a bucket with a parameter that gets no gradient, e.g. of a dropped layer.
  GradientBuckets(std::vector<torch::Tensor> parameters,
                  std::function<void(size_t bucket)> complete);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  const std::vector<torch::Tensor>& buckets() const { return buckets_; }  // flat

  /// Call before every backward pass.
  void begin_pass();

  /// Zeroes all gradients.
  void clear();

 private:
  struct Pass;
  void make_buckets();
  void add_hooks();

  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> buckets_;
  std::vector<size_t> bucket_of_;  // bucket of each parameter
  std::vector<size_t> count_;      // number of parameters in each bucket
  std::shared_ptr<Pass> pass_;     // shared with the hooks, which may outlive this

  // A std::shared_ptr to a node; since LibTorch 2.14 a c10::intrusive_ptr.
  using Sink =
      decltype(torch::autograd::impl::grad_accumulator(std::declval<const torch::Tensor&>()));
  std::vector<Sink> sinks_;  // own the hooks
};

}  // namespace nmt
