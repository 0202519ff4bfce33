#include "train/run_saver.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "errors/error.h"

namespace nmt {

RunSaver::RunSaver(const Settings& settings, const ModelDirectory& directory,
                   TrainingReporter& reporter, bool active)
    : config_(settings.train),
      directory_(directory),
      reporter_(reporter),
      active_(active),
      checkpoints_(directory, settings.validation.keep_best, settings.train.keep_last,
                   lower_is_better(settings.validation.metric)) {}

bool RunSaver::is_due(const RunMoment& now) const {
  if (due_) return true;
  if (now.update == saved_update_) return false;
  if (config_.save_every > 0 && now.update % config_.save_every == 0) return true;
  return config_.save_every_minutes > 0 &&
         now.seconds - saved_seconds_ >= config_.save_every_minutes * 60;
}

void RunSaver::set_saved(const RunMoment& now) {
  due_ = false;
  saved_update_ = now.update;
  saved_seconds_ = now.seconds;
}

void RunSaver::write_state(const RunState& state) {
  write_run_state(directory_.run_state(), state);
  resumes_from_ = state.progress.at("update");
  warned_.clear();
  checkpoints_.remove_others();
}

void RunSaver::save_at_end(const RunMoment& now, const std::function<void()>& save) try {
  save();
} catch (const Error& error) {
  if (resumes_from_ == now.update) throw;
  const auto last = std::to_string(resumes_from_);
  throw Error(directory_.root.string() + ": nothing is saved after update " + last + " of " +
              std::to_string(now.update) + ": " + error.what() +
              "; fix that and rerun the command to resume from update " + last);
}

void RunSaver::save_or_warn(const RunMoment& now, const std::function<void()>& save) try {
  if (active_) save();
} catch (const Error& error) {
  std::error_code ignored;
  // Not exists(), which is also false while the directory cannot be reached.
  const auto type = std::filesystem::status(directory_.root, ignored).type();
  if (type == std::filesystem::file_type::not_found) {
    throw Error(directory_.root.string() + ": the directory is gone; training stops at update " +
                std::to_string(now.update));
  }
  if (std::exchange(warned_, error.what()) == error.what()) return;
  reporter_.warn(warned_ + "; training continues and will try again");
}

void RunSaver::restore(const nlohmann::json& checkpoints, const RunMoment& now) {
  if (active_) checkpoints_.restore(checkpoints);
  set_saved(now);
  resumes_from_ = now.update;
}

}  // namespace nmt
