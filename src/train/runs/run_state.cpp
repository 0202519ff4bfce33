#include "train/runs/run_state.h"

#include <string>
#include <utility>

#include "planning/training_advice.h"

namespace nmt {

void write_run_state(const std::filesystem::path& path, const RunState& state) {
  auto file = state.tensors;
  write_run_record(state, file.metadata);
  write_safetensors(path, file);
}

RunState read_run_state(const std::filesystem::path& path) try {
  auto tensors = read_safetensors(path);
  return {parse_run_record(tensors.metadata, path.string()), std::move(tensors)};
} catch (const DamagedFile& error) {
  throw Error(error.what() +
              std::string("; use --restart to back up the directory and start over"));
}

RunRecord read_run_record(const std::filesystem::path& path) {
  return parse_run_record(read_safetensors_header(path).metadata, path.string(),
                          SettingsFrom::kModel);
}

std::string finish_of(const RunState& state) { return state.progress.value("finish", ""); }

bool follows_time_limit(const RunState& state) {
  const auto plan = state.progress.find("time_plan");
  return plan != state.progress.end() && !plan->is_null() &&
         state.fingerprint.settings.train.max_updates > 0;
}

std::string how_to_continue(const std::filesystem::path& directory, const std::string& finish,
                            const Settings& settings) {
  const auto& train = settings.train;
  const bool moves_end = finish.rfind("max_", 0) == 0 && finish != "max_minutes reached";
  const bool follows_end = moves_end && train.schedule == ScheduleKind::kLinear;
  return "raise " + limit_to_raise(finish, train) + " to continue" +
         (follows_end ? ", with --accept-changes because the linear learning rate depends on when "
                        "the run ends"
                      : "") +
         "; for twice the training, run: " +
         command_to_double(directory.string(), finish, settings);
}

}  // namespace nmt
