#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Keeps the best states of a run as checkpoints/update-N.safetensors and makes the very best
/// model.safetensors. The last state is last.safetensors.
class CheckpointKeeper {
 public:
  /// keep_best: how many are kept, at least 1.
  CheckpointKeeper(ModelDirectory directory, int64_t keep_best, bool lower_is_better);

  /// Saves the state if it is among the best.
  void offer(const Seq2Seq& model, int64_t update, double value,
             const std::map<std::string, std::string>& metadata);

  /// Saves the state as the last; as the model too while nothing better is known.
  void save_last(const Seq2Seq& model, const std::map<std::string, std::string>& metadata);

 private:
  struct Kept {
    double value;
    std::filesystem::path path;
  };
  bool better(double a, double b) const { return lower_is_better_ ? a < b : a > b; }

  ModelDirectory directory_;
  size_t keep_best_;
  bool lower_is_better_;
  std::vector<Kept> kept_;  // best first
};

}  // namespace nmt
