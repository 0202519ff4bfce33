#pragma once

#include <torch/csrc/autograd/variable.h>
#include <torch/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace nmt {

/// Flat memory into which autograd accumulates the parameters' gradients, in buckets, last
/// parameters first, as a backward pass meets them: few large transfers, which start early.
class GradientBuckets {
 public:
  static constexpr int64_t kBucketSize = int64_t{1}
                                         << 20;  // numbers, unless one parameter has more

  /// `complete` is called within a backward pass once all gradients of a bucket are accumulated.
  /// Not called for a bucket with a parameter without one, of a layer that was left out.
  GradientBuckets(std::vector<torch::Tensor> parameters,
                  std::function<void(size_t bucket)> complete);
  ~GradientBuckets();
  GradientBuckets(const GradientBuckets&) = delete;
  GradientBuckets& operator=(const GradientBuckets&) = delete;

  const std::vector<torch::Tensor>& buckets() const { return buckets_; }  // flat

  /// Before every backward pass.
  void begin_pass();

  /// Zeroes all gradients.
  void clear();

 private:
  struct Pass;
  void make_buckets();
  void add_hooks();

  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> buckets_;
  std::vector<size_t> bucket_of_;  // of each parameter
  std::vector<size_t> count_;      // parameters of each bucket
  std::shared_ptr<Pass> pass_;     // shared with the hooks, which may outlive this

  // A std::shared_ptr of a node, since LibTorch 2.14 a c10::intrusive_ptr.
  using Sink =
      decltype(torch::autograd::impl::grad_accumulator(std::declval<const torch::Tensor&>()));
  std::vector<Sink> sinks_;  // own the hooks
};

}  // namespace nmt
