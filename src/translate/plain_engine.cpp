#include <ATen/Parallel.h>

#include <algorithm>
#include <mutex>

#include "checkpoint/model.h"
#include "data/batch.h"
#include "decode/batch_search.h"
#include "decode/forced_scoring.h"
#include "decode/length_order.h"
#include "decode/model_stepper.h"
#include "nn/device.h"
#include "threads/thread_team.h"
#include "translate/engine.h"

namespace nmt {
namespace {

/// Maximum logits in a batch of score(), to limit memory.
constexpr int64_t kMaxLogits = int64_t{1} << 26;

/// The number of pairs in the next batch, from order[begin]; `order` is sorted by decreasing target
/// length.
size_t pairs_together(const TokenLists& targets, const std::vector<size_t>& order, size_t begin,
                      int64_t batch_size, int64_t vocabulary_size) {
  const auto steps = static_cast<int64_t>(targets[order[begin]].size()) + 1;
  const int64_t fitting = std::max<int64_t>(kMaxLogits / (steps * vocabulary_size), 1);
  return std::min(order.size() - begin, static_cast<size_t>(std::min(batch_size, fitting)));
}

class PlainEngine : public Engine {
 public:
  PlainEngine(const EngineModels& models, const torch::Device& device, int threads)
      : device_(device),
        team_(device.is_cuda() ? threads : 1),  // on the CPU LibTorch has threads of its own
        weights_(models.weights),
        language_model_weight_(models.language_model_weight) {
    const auto load = [&](const StoredModel& model) {
      if (!models.bfloat16) return make_network(model, device);
      auto network = make_network(model, torch::kCPU);
      network->to(torch::kBFloat16);  // first: it would undo what moving does for cuDNN
      network->to(device);
      return network;
    };
    for (const auto& model : models.translators) networks_.push_back(load(model));
    if (models.language_model) language_model_ = load(*models.language_model);
    stepper_ = make_stepper();
  }

  HypothesisLists search(const TokenLists& sources, int64_t batch_size,
                         const SearchOptions& options,
                         const ConstraintList& constraint_list) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    return search_all(*stepper_, sources, batch_size, options, constraint_list, &team_);
  }

  std::vector<double> score(const TokenLists& sources, const TokenLists& targets,
                            int64_t batch_size) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto order = longest_first(targets);
    const int64_t vocabulary = networks_.front()->options().target_vocabulary_size;
    std::vector<double> scores(targets.size());
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
      end = begin + pairs_together(targets, order, begin, batch_size, vocabulary);
      TokenLists batch_sources;
      TokenLists batch_targets;
      for (size_t i = begin; i < end; ++i) {
        batch_sources.push_back(sources[order[i]]);
        batch_targets.push_back(targets[order[i]]);
      }
      const auto batch = make_batch(batch_sources, batch_targets).to(device_);
      const auto values = score_batch(networks_, weights_, batch);
      for (size_t i = begin; i < end; ++i) scores[order[i]] = values[i - begin];
    }
    return scores;
  }

 private:
  std::unique_ptr<Stepper> make_stepper() const {
    std::vector<std::unique_ptr<Stepper>> members;
    for (const auto& network : networks_) {
      members.push_back(std::make_unique<ModelStepper>(network));
    }
    if (language_model_ && language_model_weight_ > 0) {  // 0 times −∞ would be undefined
      members.push_back(std::make_unique<ModelStepper>(language_model_));
    }
    if (members.size() == 1) return std::move(members.front());
    return std::make_unique<EnsembleStepper>(std::move(members), weights_, language_model_weight_);
  }

  torch::Device device_;
  ThreadTeam team_;
  std::vector<Seq2Seq> networks_;
  std::vector<double> weights_;
  Seq2Seq language_model_{nullptr};
  double language_model_weight_;
  std::unique_ptr<Stepper> stepper_;  // keeps what a GPU has recorded
  std::mutex mutex_;                  // one caller at a time
};

}  // namespace

std::unique_ptr<Engine> make_linked_plain_engine(const EngineModels& models,
                                                 const std::string& device, int threads) {
  at::set_num_threads(threads);
  return std::make_unique<PlainEngine>(models, open_device(device), threads);
}

}  // namespace nmt
