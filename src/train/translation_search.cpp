#include "train/translation_search.h"

#include <algorithm>

#include "decode/batch_search.h"
#include "decode/fused_model.h"
#include "decode/fused_search.h"
#include "decode/model_stepper.h"
#include "decode/network_model.h"
#include "processes/interrupt.h"
#include "threads/thread_team.h"

namespace nmt {

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted("validation interrupted");
}

std::vector<std::vector<Hypothesis>> TranslationSearch::run(
    const Seq2Seq& network, const SearchOptions& options,
    const std::vector<std::vector<int32_t>>& sources) const {
  if (fused && fused_unsupported_reason(network->options()).empty()) {
    return run_fused(network, options, sources);
  }
  ModelStepper stepper(network);
  const auto search_batch = make_search(options);
  const auto unless_interrupted = [&](Stepper& on, const torch::Tensor& source,
                                      const torch::Tensor& lengths,
                                      const ConstraintList& constraint_list) {
    stop_if_interrupted();
    return search_batch(on, source, lengths, constraint_list);
  };
  return search_all(stepper, sources, batch_size, unless_interrupted);
}

/// A few batches at a time, so that a signal is noticed.
std::vector<std::vector<Hypothesis>> TranslationSearch::run_fused(
    const Seq2Seq& network, const SearchOptions& options,
    const std::vector<std::vector<int32_t>>& sources) const {
  constexpr int64_t kBatchesAtOnce = 16;
  ThreadTeam team(threads);
  const auto model = inference_model_of(network, WeightType::kFloat32);
  std::vector<std::vector<Hypothesis>> found;
  for (auto begin = sources.begin(); begin != sources.end();) {
    stop_if_interrupted();
    const auto count = std::min<int64_t>(kBatchesAtOnce * batch_size, sources.end() - begin);
    const std::vector<std::vector<int32_t>> part(begin, begin + count);
    for (auto& hypotheses : fused_search(*model, part, batch_size, options, team)) {
      found.push_back(std::move(hypotheses));
    }
    begin += count;
  }
  return found;
}

}  // namespace nmt
