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
  return parse_run_record(read_safetensors_header(path).metadata, path.string());
}

std::string finish_of(const RunState& state) { return state.progress.value("finish", ""); }

std::string how_to_continue(const std::string& finish, const Settings& settings) {
  const auto& train = settings.train;
  const auto flag = limit_flag(finish);
  const bool by_time = finish == "max_minutes reached";
  if (by_time || finish.rfind("max_", 0) != 0) {
    return "raise " + (by_time ? "--minutes" : flag) + " to continue";
  }
  // In a run with a time limit, TimePlan may have set the number of updates.
  auto text = train.max_minutes == 0 ? "raise " + flag + " to continue"
              : finish == "max_updates reached"
                  ? "raise --minutes and set " + flag + " above " +
                        std::to_string(train.max_updates) + " to continue"
                  : "raise --minutes and " + flag + " to continue";
  if (train.schedule == ScheduleKind::kLinear) {
    text += ", with --accept-changes because the linear learning rate depends on when the run ends";
  }
  return text;
}

}  // namespace nmt
