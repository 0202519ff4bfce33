#include "planning/training_estimate.h"

#include <chrono>
#include <future>
#include <vector>

#include "checkpoint/parameter_shapes.h"
#include "kernels/matrix_product.h"

namespace nmt {
namespace {

constexpr double kBackward = 3.0;      // forward: one product; backward: two
constexpr double kProductShare = 0.7;  // of the time of the fused engine (docs/performance.md)
constexpr double kPlain = 2.3;         // its time relative to the fused engine's, likewise
constexpr double kBfloat16 = 1.6;      // its speed in training, likewise
constexpr double kCopies = 5.0;        // weights, transposed ones, gradient, Adam's two moments
constexpr double kProgramBytes = 250e6;

/// Multiply-adds a token, one for each matrix element.
struct ProductCounts {
  double source = 0;  // encoder, and the attention's keys and values
  double target = 0;  // decoder and output layer
};

/// Whether a parameter is used once a source token; keys and values of attention are too.
bool is_of_source(const std::string& name) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const bool remembered = has("attn.key.") || has("attn.value.");
  return name.rfind("encoder", 0) == 0 || (remembered && !has("self_attn"));
}

ProductCounts count_products(const Seq2SeqOptions& options) {
  ProductCounts counts;
  for (const auto& parameter : parameter_shapes(options)) {
    const auto begins_with = [&](const char* prefix) {
      return parameter.name.rfind(prefix, 0) == 0;
    };
    // The bridge is used once for a sentence.
    if (begins_with("emb_") || begins_with("bridge.") || parameter.shape.size() != 2) continue;
    const auto size = static_cast<double>(parameter.shape[0] * parameter.shape[1]);
    (is_of_source(parameter.name) ? counts.source : counts.target) += size;
  }
  return counts;
}

double measure_alone() {
  constexpr int64_t kRows = 512;
  constexpr int64_t kInputs = 512;
  constexpr int64_t kOutputs = 1536;
  const std::vector<float> x(kRows * kInputs, 0.5F);
  const std::vector<float> weight(kOutputs * kInputs, 0.25F);
  std::vector<float> y(kRows * kOutputs);
  const auto product = [&] {
    multiply_by_transpose(ConstMatrix(x.data(), kRows, kInputs),
                          ConstMatrix(weight.data(), kOutputs, kInputs),
                          Matrix(y.data(), kRows, kOutputs), WriteMode::kOverwrite);
  };
  compute_products_alone();
  product();
  const auto started = std::chrono::steady_clock::now();
  int64_t products = 0;
  std::chrono::duration<double> taken{};
  while (taken.count() < 0.1) {
    product();
    ++products;
    taken = std::chrono::steady_clock::now() - started;
  }
  return static_cast<double>(products * kRows * kInputs * kOutputs) / taken.count();
}

}  // namespace

double measure_products_per_second() {
  // In a thread of its own: how many threads compute products is a property of the thread.
  return std::async(std::launch::async, measure_alone).get();
}

double training_memory(const Seq2SeqOptions& options, double parameters, double batch_tokens) {
  // Kept of each target token for the backward pass: logits and some twenty decoder vectors.
  const auto kept = static_cast<double>(options.target_vocabulary_size + 20 * options.hidden_size);
  return sizeof(float) * (kCopies * parameters + kept * batch_tokens) + kProgramBytes;
}

TrainingEstimate estimate_training(const Seq2SeqOptions& options, const TrainingWork& work,
                                   double products_per_second) {
  TrainingEstimate estimate;
  for (const auto& parameter : parameter_shapes(options)) {
    if (is_tied_copy(parameter.name, options.tied_embeddings)) continue;
    int64_t size = 1;
    for (const int64_t dimension : parameter.shape) size *= dimension;
    estimate.parameters += size;
  }
  const auto counts = count_products(options);
  estimate.products =
      kBackward * (counts.source * work.source_tokens + counts.target * work.target_tokens);
  estimate.engine = work.fused ? "fused" : "plain";
  const double speed = products_per_second * work.threads * (work.bfloat16 ? kBfloat16 : 1.0);
  estimate.epoch_seconds =
      estimate.products / (speed * kProductShare) * (work.fused ? 1.0 : kPlain);
  estimate.memory_bytes =
      training_memory(options, static_cast<double>(estimate.parameters), work.batch_tokens);
  return estimate;
}

}  // namespace nmt
