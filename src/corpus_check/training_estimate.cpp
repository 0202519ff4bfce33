#include "corpus_check/training_estimate.h"

#include <chrono>
#include <vector>

#include "checkpoint/parameter_shapes.h"
#include "kernels/matrix_product.h"

namespace nmt {
namespace {

constexpr double kBackward = 3.0;      // forward: one product; backward: two
constexpr double kProductShare = 0.7;  // of the time of the fused engine (docs/performance.md)
constexpr double kPlain = 2.3;         // its time relative to the fused engine's, likewise
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
    const bool looked_up = parameter.name.rfind("emb_", 0) == 0;
    if (looked_up || parameter.shape.size() != 2) continue;
    const auto size = static_cast<double>(parameter.shape[0] * parameter.shape[1]);
    (is_of_source(parameter.name) ? counts.source : counts.target) += size;
  }
  return counts;
}

/// Multiply-adds a second of one thread, in matrix products of training's shapes.
double measure_rate() {
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

TrainingEstimate estimate_training(const Seq2SeqOptions& options, const TrainingWork& work) {
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
  compute_products_alone();
  estimate.engine = work.fused ? "fused" : "plain";
  estimate.epoch_seconds = estimate.products / (measure_rate() * work.threads * kProductShare) *
                           (work.fused ? 1.0 : kPlain);
  // Kept of each target token for the backward pass: logits and some twenty decoder vectors.
  const double kept =
      static_cast<double>(options.target_vocabulary_size + 20 * options.hidden_size);
  estimate.memory_bytes = sizeof(float) * (kCopies * static_cast<double>(estimate.parameters) +
                                           kept * work.batch_tokens) +
                          kProgramBytes;
  return estimate;
}

}  // namespace nmt
