#include "train/runs/checkpoint_keeper.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "checkpoint/model.h"
#include "checkpoint/safetensors.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/json.h"
#include "numbers/parse.h"
#include "train/runs/run_state.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "update-";
constexpr char kSuffix[] = ".safetensors";

/// The update whose weights a file holds, or "".
std::string update_in(const fs::path& weights) {
  try {
    const auto metadata = read_safetensors_header(weights).metadata;
    const auto update = metadata.find("update");
    return update == metadata.end() ? "" : update->second;
  } catch (const Error&) {
    return "";
  }
}

fs::path path_of(const ModelDirectory& directory, int64_t update) {
  return directory.checkpoints() / (kPrefix + std::to_string(update) + kSuffix);
}

std::map<std::string, std::string> metadata_of(const RunMoment& now) {
  return {{"format", "nmt"},
          {"update", std::to_string(now.update)},
          {"epoch", std::to_string(now.epoch)}};
}

/// Creates the folder again if someone removed it, but not a model directory that is gone.
void save_checkpoint(const ModelDirectory& directory, const Seq2Seq& model, const RunMoment& then) {
  std::error_code ignored;  // saving then fails, with the reason
  fs::create_directory(directory.checkpoints(), ignored);
  save_weights(path_of(directory, then.update), model, metadata_of(then));
}

}  // namespace

CheckpointKeeper::CheckpointKeeper(ModelDirectory directory, int64_t keep_best, int64_t keep_last,
                                   bool lower_is_better)
    : directory_(std::move(directory)),
      keep_best_(static_cast<size_t>(keep_best)),
      keep_last_(static_cast<size_t>(keep_last)),
      lower_is_better_(lower_is_better) {}

void CheckpointKeeper::offer(const Seq2Seq& model, const RunMoment& now,
                             const ValidationRank& rank) try {
  retry(model);
  save_if_best(model, now, rank);
} catch (const Error&) {
  if (!std::isfinite(rank.value)) throw;
  unsaved_.push_back({std::make_unique<WeightAverage>(model, 0.0), now, rank});
  if (unsaved_.size() > keep_best_) {
    unsaved_.erase(std::max_element(
        unsaved_.begin(), unsaved_.end(),
        [this](const Unsaved& a, const Unsaved& b) { return better(a.rank, b.rank); }));
  }
  throw;
}

void CheckpointKeeper::retry(const Seq2Seq& model) {
  for (; !unsaved_.empty(); unsaved_.erase(unsaved_.begin())) {
    const auto& [weights, then, rank] = unsaved_.front();
    const AveragedWeights exchanged(weights.get(), model);
    save_if_best(model, then, rank);
  }
}

void CheckpointKeeper::save_if_best(const Seq2Seq& model, const RunMoment& then,
                                    const ValidationRank& rank) {
  const auto place = std::find_if(best_.begin(), best_.end(),
                                  [&](const Kept& kept) { return better(rank, kept.rank); });
  if (!std::isfinite(rank.value) || (place == best_.end() && best_.size() >= keep_best_)) return;
  save_checkpoint(directory_, model, then);
  if (place == best_.begin()) save_weights(directory_.weights(), model, metadata_of(then));
  best_.insert(place, {rank, then.update});
  keeps_model_ = false;
  if (best_.size() > keep_best_) best_.pop_back();
}

void CheckpointKeeper::keep(const Seq2Seq& model, const RunMoment& now) {
  if (keep_last_ == 0 || (!latest_.empty() && latest_.back() == now.update)) return;
  if (!keeps(now.update)) save_checkpoint(directory_, model, now);
  latest_.push_back(now.update);
  if (latest_.size() > keep_last_) latest_.erase(latest_.begin());
}

void CheckpointKeeper::save_last(const Seq2Seq& model, const RunMoment& now, bool is_model) {
  const auto metadata = metadata_of(now);
  save_weights(directory_.last_weights(), model, metadata);
  if (!best_.empty() || keeps_model_) return;
  if (is_model) {
    save_weights(directory_.weights(), model, metadata);
  } else {
    fs::remove(directory_.weights());
  }
}

bool CheckpointKeeper::keeps(int64_t update) const {
  return std::find(latest_.begin(), latest_.end(), update) != latest_.end() ||
         std::any_of(best_.begin(), best_.end(),
                     [&](const Kept& kept) { return kept.update == update; });
}

void CheckpointKeeper::remove_others() const {
  std::error_code ignored;  // a leftover only takes disk space
  for (const auto& entry : fs::directory_iterator(directory_.checkpoints(), ignored)) {
    const auto name = entry.path().stem().string();
    if (name.rfind(kPrefix, 0) != 0 || entry.path().extension() != kSuffix) continue;
    const auto update = parse_number<int64_t>(name.substr(sizeof(kPrefix) - 1));
    if (update && entry.path() == path_of(directory_, *update) && !keeps(*update)) {
      fs::remove(entry.path(), ignored);
    }
  }
}

nlohmann::json CheckpointKeeper::to_json() const {
  auto best = nlohmann::json::array();
  for (const auto& [rank, update] : best_) {
    best.push_back({{"value", rank.value}, {"loss", rank.loss}, {"update", update}});
  }
  return {{"best", best}, {"latest", latest_}, {"keeps_model", keeps_model_}};
}

void CheckpointKeeper::restore(const nlohmann::json& kept) {
  best_.clear();
  for (const auto& entry : kept.at("best")) {
    best_.push_back({{entry.at("value").get<double>(), read_number(entry, "loss")},
                     entry.at("update").get<int64_t>()});
  }
  latest_ = kept.at("latest").get<std::vector<int64_t>>();
  keeps_model_ = kept.at("keeps_model");
  best_.resize(std::min(best_.size(), keep_best_));
  if (latest_.size() > keep_last_) {
    latest_.erase(latest_.begin(), latest_.end() - static_cast<int64_t>(keep_last_));
  }
  if (best_.empty()) return;
  const auto best = path_of(directory_, best_.front().update);
  if (update_in(directory_.weights()) == std::to_string(best_.front().update)) return;
  // model.safetensors is from after the saved state; resumed training will find it again.
  if (fs::exists(best)) copy_file_atomically(best, directory_.weights());
}

void CheckpointKeeper::forget_best(bool keeps_model) {
  keeps_model_ = keeps_model && (keeps_model_ || !best_.empty());
  best_.clear();
}

KeptCheckpoints read_kept_checkpoints(const ModelDirectory& directory) {
  const auto list =
      read_run_record(directory.run_state())
          .progress.value("checkpoints", nlohmann::json{{"best", {}}, {"latest", {}}});
  KeptCheckpoints kept;
  for (const auto& entry : list.at("best")) {
    kept.best.push_back(path_of(directory, entry.at("update")));
  }
  for (const auto& update : list.at("latest")) kept.latest.push_back(path_of(directory, update));
  return kept;
}

}  // namespace nmt
