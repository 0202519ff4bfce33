#include "train/runs/run_state.h"

#include <string>
#include <utility>

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

std::string limit_flag(const std::string& finish) {
  for (const char* limit : {"updates", "epochs", "tokens", "minutes"}) {
    if (finish == "max_" + std::string(limit) + " reached") {
      return "--train.max-" + std::string(limit);
    }
  }
  return "--validation.patience";
}

std::string how_to_continue(const std::string& finish, const Settings& settings) {
  const auto& train = settings.train;
  const auto flag = limit_flag(finish);
  const bool by_time = finish == "max_minutes reached";
  if (by_time || finish.rfind("max_", 0) != 0) {
    return "raise " + (by_time ? "--minutes" : flag) + " to continue";
  }
  // Of a run with a time, the number of updates may come from it (TimePlan).
  auto text = train.max_minutes == 0 ? "raise " + flag + " to continue"
              : finish == "max_updates reached"
                  ? "raise --minutes and set " + flag + " above " +
                        std::to_string(train.max_updates) + " to continue"
                  : "raise --minutes and " + flag + " to continue";
  if (train.schedule == ScheduleKind::kLinear) {
    text += " with --accept-changes, since the linear learning rate follows the end of the run";
  }
  return text;
}

}  // namespace nmt
