#include "translate/fused_engine.h"

#include <mutex>

#include "decode/fused_model.h"
#include "decode/fused_search.h"
#include "support/error.h"
#include "support/thread_team.h"

namespace nmt {
namespace {

class FusedEngine : public Engine {
 public:
  FusedEngine(const StoredModel& model, WeightType type, int threads)
      : weights_(model.options, model.weights),
        model_(make_inference_model(model.options, weights_, type)),
        team_(threads) {}

  std::vector<std::vector<Hypothesis>> search(const TokenLists& sources, int64_t batch_size,
                                              const SearchOptions& options,
                                              const SentenceGuides& guides) override {
    const std::lock_guard<std::mutex> lock(searching_);
    return fused_search(*model_, sources, batch_size, options, team_, guides);
  }

 private:
  StoredWeights weights_;
  std::unique_ptr<InferenceModel> model_;
  ThreadTeam team_;
  std::mutex searching_;  // the team serves one caller at a time
};

}  // namespace

std::unique_ptr<Engine> make_fused_engine(const StoredModel& model, WeightType type, int threads) {
  if (type == WeightType::kInt8 && !has_int8_products()) {
    throw Error("this program was built without oneDNN and has no int8; use float32");
  }
  return std::make_unique<FusedEngine>(model, type, threads);
}

}  // namespace nmt
