#include "train/checkpoint_keeper.h"

#include <algorithm>

#include "checkpoint/model.h"

namespace nmt {

CheckpointKeeper::CheckpointKeeper(ModelDirectory directory, int64_t keep_best,
                                   bool lower_is_better)
    : directory_(std::move(directory)),
      keep_best_(static_cast<size_t>(std::max<int64_t>(keep_best, 1))),
      lower_is_better_(lower_is_better) {}

void CheckpointKeeper::offer(const Seq2Seq& model, int64_t update, double value,
                             const std::map<std::string, std::string>& metadata) {
  const auto place = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Kept& kept) { return better(value, kept.value); });
  if (place == kept_.end() && kept_.size() >= keep_best_) return;
  const auto path =
      directory_.checkpoints() / ("update-" + std::to_string(update) + ".safetensors");
  save_weights(path, model, metadata);
  if (place == kept_.begin()) save_weights(directory_.weights(), model, metadata);
  kept_.insert(place, {value, path});
  if (kept_.size() > keep_best_) {
    std::filesystem::remove(kept_.back().path);
    kept_.pop_back();
  }
}

void CheckpointKeeper::save_last(const Seq2Seq& model,
                                 const std::map<std::string, std::string>& metadata) {
  save_weights(directory_.last_weights(), model, metadata);
  if (kept_.empty()) save_weights(directory_.weights(), model, metadata);
}

}  // namespace nmt
