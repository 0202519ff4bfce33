#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "checkpoint/model_directory.h"
#include "nn/seq2seq.h"
#include "train/steps/weight_average.h"

namespace nmt {

/// Where a run stands; saved weights record its update and epoch.
struct RunMoment {
  int64_t update = 0;
  int64_t epoch = 0;
  double seconds = 0.0;
};

/// Keeps the best and the latest weights of a run as checkpoints/update-N.safetensors, and the very
/// best as model.safetensors. The weights at the end are last.safetensors.
class CheckpointKeeper {
 public:
  /// keep_best, keep_last: how many; at least 1 of the best.
  CheckpointKeeper(ModelDirectory directory, int64_t keep_best, int64_t keep_last,
                   bool lower_is_better);

  /// Saves the weights if they are among the best. NaN and infinity never are. Throws Error when
  /// that fails, and keeps a copy of them for retry(); a training state that counts on them must
  /// not be saved before.
  void offer(const Seq2Seq& model, const RunMoment& now, double value);

  /// Saves what offer() could not, with a model of the same kind to write them from. Throws Error.
  void retry(const Seq2Seq& model);

  /// Saves them as the latest, if the latest are kept.
  void keep(const Seq2Seq& model, const RunMoment& now);

  /// Saves them as the run's last; without a best, also as the model if `is_model`, else removes
  /// the model.
  void save_last(const Seq2Seq& model, const RunMoment& now, bool is_model);

  /// Removes the checkpoints that are no longer among the best and latest. Those that a saved
  /// training state refers to have to stay until a newer one is saved.
  void remove_others() const;

  nlohmann::json to_json() const;

  /// Continues with these; the model is again the best of them.
  void restore(const nlohmann::json& kept);

 private:
  struct Kept {
    double value;
    int64_t update;
  };
  bool better(double a, double b) const { return lower_is_better_ ? a < b : a > b; }
  bool keeps(int64_t update) const;
  void save_if_best(const Seq2Seq& model, const RunMoment& then, double value);

  struct Unsaved {
    std::unique_ptr<WeightAverage> weights;  // of one model
    RunMoment then;
    double value;
  };

  ModelDirectory directory_;
  size_t keep_best_;
  size_t keep_last_;
  bool lower_is_better_;
  std::vector<Kept> best_;        // best first
  std::vector<int64_t> latest_;   // oldest first
  std::vector<Unsaved> unsaved_;  // oldest first; no more than the best that are kept
};

/// The checkpoints that a run keeps.
struct KeptCheckpoints {
  std::vector<std::filesystem::path> best;    // best first
  std::vector<std::filesystem::path> latest;  // oldest first
};

/// Those of the directory's training state. Throws Error.
KeptCheckpoints read_kept_checkpoints(const ModelDirectory& directory);

}  // namespace nmt
