#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "checkpoint/model_directory.h"
#include "nn/seq2seq.h"
#include "train/runs/validation_rank.h"
#include "train/steps/weight_average.h"

namespace nmt {

/// A point in a run; saved weights record its update and epoch.
struct RunMoment {
  int64_t update = 0;
  int64_t epoch = 0;
  double seconds = 0.0;
};

/// Keeps the best and the latest weights of a run as checkpoints/update-N.safetensors, the single
/// best as model.safetensors, and the weights at the end as last.safetensors.
class CheckpointKeeper {
 public:
  /// keep_best, keep_last: how many to keep; keep_best is at least 1.
  CheckpointKeeper(ModelDirectory directory, int64_t keep_best, int64_t keep_last,
                   bool lower_is_better);

  /// Saves the weights if `value` is among the best; NaN and infinity never are. If saving fails,
  /// keeps a copy for retry() and throws Error. Call retry() before saving a training state that
  /// refers to them.
  void offer(const Seq2Seq& model, const RunMoment& now, const ValidationRank& rank);

  /// Saves what offer() could not. `model` is used temporarily to hold the weights. Throws Error.
  void retry(const Seq2Seq& model);

  /// Saves the weights as the latest, if keep_last is above 0.
  void keep(const Seq2Seq& model, const RunMoment& now);

  /// Saves the weights as last.safetensors. If there is no best checkpoint, also as the model if
  /// `is_model`, otherwise removes the model; after forget_best() it may stay.
  void save_last(const Seq2Seq& model, const RunMoment& now, bool is_model);

  /// Removes checkpoints that are neither among the best nor the latest. Call it only after saving
  /// a training state: the previous one may refer to them.
  void remove_others() const;

  nlohmann::json to_json() const;

  /// Continues with the checkpoints of to_json(); the best of them becomes the model again.
  void restore(const nlohmann::json& kept);

  /// Drops the best, whose values cannot be compared with later ones. If `keeps_model`, its model
  /// stays until the next best; without a validation set there is none.
  void forget_best(bool keeps_model);

 private:
  struct Kept {
    ValidationRank rank;
    int64_t update;
  };
  bool better(const ValidationRank& a, const ValidationRank& b) const {
    return is_better(a, b, lower_is_better_);
  }
  bool keeps(int64_t update) const;
  void save_if_best(const Seq2Seq& model, const RunMoment& then, const ValidationRank& rank);

  struct Unsaved {
    std::unique_ptr<WeightAverage> weights;  // holds a copy of the weights
    RunMoment then;
    ValidationRank rank;
  };

  ModelDirectory directory_;
  size_t keep_best_;
  size_t keep_last_;
  bool lower_is_better_;
  std::vector<Kept> best_;        // best first
  std::vector<int64_t> latest_;   // oldest first
  std::vector<Unsaved> unsaved_;  // oldest first; at most keep_best_
  bool keeps_model_ = false;      // since forget_best()
};

/// The checkpoints that a run keeps.
struct KeptCheckpoints {
  std::vector<std::filesystem::path> best;    // best first
  std::vector<std::filesystem::path> latest;  // oldest first
};

/// The checkpoints that the directory's training state lists. Throws Error.
KeptCheckpoints read_kept_checkpoints(const ModelDirectory& directory);

}  // namespace nmt
