#include "translate/fused_engine.h"

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "decode/fused_model.h"
#include "decode/fused_scoring.h"
#include "decode/fused_search.h"
#include "threads/thread_team.h"

namespace nmt {
namespace {

class FusedEngine : public Engine {
 public:
  FusedEngine(const EngineModels& models, WeightType type, int threads, int callers) {
    for (const auto& model : models.translators) ensemble_.members.push_back(load(model, type));
    ensemble_.weights = models.weights;
    ensemble_.language_model_weight = models.language_model_weight;
    if (models.language_model) ensemble_.language_model = load(*models.language_model, type);
    for (int i = 0; i < callers; ++i) {
      const int size = threads / callers + (i < threads % callers ? 1 : 0);
      free_teams_.push_back(std::make_unique<ThreadTeam>(size));
    }
  }

  HypothesisLists search(const TokenLists& sources, int64_t batch_size,
                         const SearchOptions& options,
                         const ConstraintList& constraint_list) override {
    const TeamLease lease(*this);
    return fused_search(ensemble_, sources, batch_size, options, *lease.team, constraint_list);
  }

  std::vector<double> score(const TokenLists& sources, const TokenLists& targets,
                            int64_t batch_size) override {
    const TeamLease lease(*this);
    auto translators = ensemble_;
    translators.language_model = nullptr;
    return fused_scores(translators, sources, targets, batch_size, *lease.team);
  }

 private:
  /// Borrows a thread team for one call; waits until one is free.
  struct TeamLease {
    explicit TeamLease(FusedEngine& lender) : engine(lender) {
      std::unique_lock<std::mutex> lock(engine.mutex_);
      engine.team_freed_.wait(lock, [this] { return !engine.free_teams_.empty(); });
      team = std::move(engine.free_teams_.back());
      engine.free_teams_.pop_back();
    }
    ~TeamLease() {
      {
        const std::lock_guard<std::mutex> lock(engine.mutex_);
        engine.free_teams_.push_back(std::move(team));
      }
      engine.team_freed_.notify_one();
    }
    TeamLease(const TeamLease&) = delete;
    TeamLease& operator=(const TeamLease&) = delete;

    FusedEngine& engine;
    std::unique_ptr<ThreadTeam> team;
  };

  const InferenceModel* load(const StoredModel& model, WeightType type) {
    weights_.push_back(std::make_unique<StoredWeights>(model.options, model.weights));
    models_.push_back(make_inference_model(model.options, *weights_.back(), type));
    return models_.back().get();
  }

  std::vector<std::unique_ptr<StoredWeights>> weights_;
  std::vector<std::unique_ptr<InferenceModel>> models_;
  ModelEnsemble ensemble_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable team_freed_;
  std::vector<std::unique_ptr<ThreadTeam>> free_teams_;
};

}  // namespace

std::unique_ptr<Engine> make_fused_engine(const EngineModels& models, WeightType type, int threads,
                                          int callers) {
  return std::make_unique<FusedEngine>(models, type, threads, callers);
}

}  // namespace nmt
