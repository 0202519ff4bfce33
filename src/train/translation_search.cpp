#include "train/translation_search.h"

#include <algorithm>

#include "decode/batch_search.h"
#include "decode/fused_model.h"
#include "decode/fused_scoring.h"
#include "decode/fused_search.h"
#include "decode/model_stepper.h"
#include "decode/network_model.h"
#include "processes/interrupt.h"
#include "threads/thread_team.h"

namespace nmt {
namespace {

constexpr int64_t kBatchesAtOnce = 16;  // then checks for a signal
constexpr char kInterruptedSearch[] = "interrupted while translating; nothing was changed";

using Sentences = std::vector<std::vector<int32_t>>;

/// Calls `compute` with one part of [0, size) after another.
template <typename Compute>
void in_parts(size_t size, int64_t batch_size, const Compute& compute) {
  const auto step = static_cast<size_t>(kBatchesAtOnce * batch_size);
  for (size_t begin = 0; begin < size; begin += step) {
    stop_if_interrupted(kInterruptedSearch);
    compute(static_cast<std::ptrdiff_t>(begin),
            static_cast<std::ptrdiff_t>(std::min(size, begin + step)));
  }
}

/// Checks for a signal before each batch.
class InterruptibleStepper : public ModelStepper {
 public:
  using ModelStepper::ModelStepper;

  void start(const torch::Tensor& source, const torch::Tensor& lengths) override {
    stop_if_interrupted(kInterruptedSearch);
    ModelStepper::start(source, lengths);
  }
};

}  // namespace

bool TranslationSearch::is_fused(const Seq2Seq& network) const {
  return fused && fused_unsupported_reason(network->options()).empty();
}

std::vector<std::vector<Hypothesis>> TranslationSearch::run(
    const Seq2Seq& network, const SearchOptions& options,
    const std::vector<std::vector<int32_t>>& sources) const {
  if (!is_fused(network)) {
    InterruptibleStepper stepper(network);
    return search_all(stepper, sources, batch_size, options);
  }
  ThreadTeam team(threads);
  const auto model = inference_model_of(network, WeightType::kFloat32);
  std::vector<std::vector<Hypothesis>> found;
  in_parts(sources.size(), batch_size, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    const Sentences part(sources.begin() + begin, sources.begin() + end);
    for (auto& hypotheses : fused_search(*model, part, batch_size, options, team)) {
      found.push_back(std::move(hypotheses));
    }
  });
  return found;
}

double TranslationSearch::fused_log_probability(
    const Seq2Seq& network, const std::vector<std::vector<int32_t>>& sources,
    const std::vector<std::vector<int32_t>>& targets) const {
  ThreadTeam team(threads);
  const auto model = inference_model_of(network, WeightType::kFloat32);
  double sum = 0.0;
  in_parts(sources.size(), batch_size, [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    const Sentences some_sources(sources.begin() + begin, sources.begin() + end);
    const Sentences some_targets(targets.begin() + begin, targets.begin() + end);
    for (const double score : fused_scores(*model, some_sources, some_targets, batch_size, team)) {
      sum += score;
    }
  });
  return sum;
}

}  // namespace nmt
