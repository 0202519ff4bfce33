#include "planning/training_estimate.h"

#include <spdlog/fmt/fmt.h>

#include <chrono>
#include <future>
#include <vector>

#include "checkpoint/parameter_shapes.h"
#include "kernels/matrix_product.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

constexpr double kBackward = 3.0;      // passes per matrix: one forward, two backward
constexpr double kProductShare = 0.7;  // of the time of the fused engine (docs/performance.md)
constexpr double kPlain = 2.3;     // time of the plain engine relative to the fused one, likewise
constexpr double kBfloat16 = 1.6;  // speedup of training with bfloat16, likewise
// Copies of the weights in memory: weights, transposed weights, gradient, last good weights, and
// the models made to time updates, to validate and to score.
constexpr double kCopies = 7.0;
// Measured memory relative to kept_numbers(). Growing buffers fragment the fused engine's memory.
constexpr double kFusedKept = 2.25;
constexpr double kPlainKept = 1.25;
constexpr double kPlainLogits = 4.0;  // logits, log-probabilities and their gradients
constexpr double kProgramBytes = 250e6;

/// Copies of the parameters' size in the optimizer's state.
double moments_of(OptimizerKind optimizer) {
  switch (optimizer) {
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
      return 2.0;
    case OptimizerKind::kSgd:
      return 1.0;
  }
  return 2.0;
}

/// Multiply-adds per token: one for each matrix element.
struct ProductCounts {
  double source = 0;  // encoder, and the attention's keys and values
  double target = 0;  // decoder and output layer
};

/// Whether a parameter is used once a source token; keys and values of attention are too.
bool is_of_source(const std::string& name) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const bool remembered = has("attn.key.") || has("attn.value.");
  return begins_with(name, "encoder") || (remembered && !has("self_attn"));
}

ProductCounts count_products(const Seq2SeqOptions& options) {
  ProductCounts counts;
  for (const auto& [name, shape] : parameter_shapes(options)) {
    const bool is_bridge = begins_with(name, "bridge.");  // used once for a sentence
    if (begins_with(name, "emb_") || is_bridge || shape.size() != 2) continue;
    (is_of_source(name) ? counts.source : counts.target) +=
        static_cast<double>(shape[0] * shape[1]);
  }
  return counts;
}

/// Tied parameters count once.
int64_t count_parameters_of(const Seq2SeqOptions& options) {
  int64_t count = 0;
  for (const auto& parameter : parameter_shapes(options)) {
    if (is_tied_copy(parameter.name, options)) continue;
    int64_t size = 1;
    for (const int64_t dimension : parameter.shape) size *= dimension;
    count += size;
  }
  return count;
}

/// Floats that a batch keeps for the backward pass: inputs and outputs of every matrix. The fused
/// engine never materializes all logits.
double kept_numbers(const Seq2SeqOptions& options, bool fused, const BatchTokens& batch) {
  double kept = 0;
  for (const auto& [name, shape] : parameter_shapes(options)) {
    if (name.find(".rnn.gain_") != std::string::npos) {  // what is normalized, and its gradient
      kept += (is_of_source(name) ? batch.source : batch.target) * static_cast<double>(shape[0]);
    }
    if (shape.size() != 2) continue;
    const auto outputs = static_cast<double>(shape[0]);
    const auto inputs = static_cast<double>(shape[1]);
    const bool of_source = is_of_source(name) || begins_with(name, "emb_src");
    const double tokens = of_source ? batch.source : batch.target;
    if (begins_with(name, "emb_")) {
      kept += tokens * inputs;  // [V, E]
    } else if (begins_with(name, "generator.")) {
      kept += tokens * (inputs + (fused ? 0.0 : kPlainLogits * outputs));
    } else {
      kept += tokens * (inputs + outputs);
    }
  }
  return kept;
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
  // In a thread of its own, because the number of threads for products is a thread-local setting.
  return std::async(std::launch::async, measure_alone).get();
}

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.{}f} s", seconds, seconds < 10 ? 1 : 0);
  return seconds < 5400 ? fmt::format("{:.0f} min", seconds / 60)
                        : fmt::format("{:.1f} h", seconds / 3600);
}

double training_memory(const Seq2SeqOptions& options, const TrainConfig& train, bool fused,
                       const BatchTokens& batch) {
  const double copies = kCopies + moments_of(train.optimizer) + (train.ema_decay > 0 ? 1.0 : 0.0);
  return sizeof(float) * (copies * static_cast<double>(count_parameters_of(options)) +
                          (fused ? kFusedKept : kPlainKept) * train.objective->passes *
                              kept_numbers(options, fused, batch)) +
         kProgramBytes;
}

double estimate_epoch(const Seq2SeqOptions& options, const TrainingWork& work,
                      double products_per_second) {
  const auto counts = count_products(options);
  const double products = work.train.objective->passes * kBackward *
                          (counts.source * work.source_tokens + counts.target * work.target_tokens);
  const bool bfloat16 = work.train.precision == TrainingPrecision::kBfloat16;
  const double speed = products_per_second * work.threads * (bfloat16 ? kBfloat16 : 1.0);
  return products / (speed * kProductShare) * (work.fused ? 1.0 : kPlain);
}

}  // namespace nmt
