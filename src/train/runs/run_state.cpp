#include "train/runs/run_state.h"

#include <limits>
#include <string>
#include <utility>

namespace nmt {

void write_run_state(const std::filesystem::path& path, const RunState& state) {
  auto file = state.tensors;
  write_run_record(state, file.metadata);
  write_safetensors(path, file);
}

RunState read_run_state(const std::filesystem::path& path) {
  auto tensors = read_safetensors(path);
  return {parse_run_record(tensors.metadata, path.string()), std::move(tensors)};
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

double read_number(const nlohmann::json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

}  // namespace nmt
