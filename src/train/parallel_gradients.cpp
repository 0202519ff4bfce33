#include "train/parallel_gradients.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIndexing.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>

#include "text/special_tokens.h"
#include "train/batch_loss.h"

namespace nmt {
namespace {

/// Another module over the same parameter memory.
Seq2Seq replicate(const Seq2Seq& model) {
  Seq2Seq replica(model->options());
  const auto source = unique_parameters(*model);
  const auto target = unique_parameters(*replica);
  for (size_t i = 0; i < source.size(); ++i) target[i].set_data(source[i].data());
  replica->train(model->is_training());
  return replica;
}

/// The share-th of `shares` parts of the batch: every shares-th sentence, so that long ones are
/// spread evenly.
Batch share_of(const Batch& batch, int64_t share, int64_t shares) {
  using at::indexing::None;
  using at::indexing::Slice;
  const auto rows = Slice(share, None, shares);
  Batch part;
  part.source_lengths = batch.source_lengths.index({rows}).contiguous();
  const int64_t width = part.source_lengths.max().item<int64_t>();
  part.source = batch.source.index({rows}).narrow(1, 0, width);
  part.target_output = batch.target_output.index({rows});
  const int64_t target_width = (part.target_output != kPadId).sum(1).max().item<int64_t>();
  part.target_output = part.target_output.narrow(1, 0, target_width);
  part.target_input = batch.target_input.index({rows}).narrow(1, 0, target_width);
  return part;
}

/// Runs one task a thread, the first on this one; rethrows what any of them throws.
void run_all(int64_t count, const std::function<void(int64_t)>& task) {
  std::vector<std::exception_ptr> failures(static_cast<size_t>(count));
  const auto guarded = [&](int64_t i) {
    at::get_num_threads();  // makes LibTorch's setting hold for this thread's OpenMP too
    try {
      task(i);
    } catch (...) {
      failures[static_cast<size_t>(i)] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int64_t i = 1; i < count; ++i) threads.emplace_back(guarded, i);
  guarded(0);
  for (auto& thread : threads) thread.join();
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace

ParallelGradients::ParallelGradients(const Seq2Seq& model, int threads) : replicas_{model} {
  for (int i = 1; i < threads; ++i) replicas_.push_back(replicate(model));
  for (const auto& replica : replicas_) parameters_.push_back(unique_parameters(*replica));
}

double ParallelGradients::add(const Batch& batch, double label_smoothing, double scale) {
  const auto shares = std::min(static_cast<int64_t>(replicas_.size()), batch.source.size(0));
  std::vector<double> losses(static_cast<size_t>(shares));
  run_all(shares, [&](int64_t i) {
    auto& replica = replicas_[static_cast<size_t>(i)];
    const auto loss =
        batch_loss(replica, shares == 1 ? batch : share_of(batch, i, shares), label_smoothing);
    (loss.objective * scale).backward();
    losses[static_cast<size_t>(i)] = loss.negative_log_likelihood.item<double>();
  });
  collect();
  double sum = 0.0;
  for (const double loss : losses) sum += loss;
  return sum;
}

void ParallelGradients::collect() {
  for (size_t i = 1; i < replicas_.size(); ++i) {
    for (size_t p = 0; p < parameters_[i].size(); ++p) {
      auto& gradient = parameters_[i][p].mutable_grad();
      if (!gradient.defined()) continue;
      auto& total = parameters_[0][p].mutable_grad();
      if (total.defined()) {
        total.add_(gradient);
      } else {
        total = gradient.clone();
      }
      gradient.zero_();
    }
  }
}

}  // namespace nmt
