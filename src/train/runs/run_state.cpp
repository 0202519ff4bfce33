#include "train/runs/run_state.h"

#include <limits>
#include <map>
#include <string>

#include "errors/error.h"
#include "files/json.h"

namespace nmt {
namespace {

// Every file has `format` and its version; this says what is in it.
constexpr char kContent[] = "content";
constexpr char kTrainingState[] = "training state 2";

nlohmann::json parse_part(const std::filesystem::path& path,
                          const std::map<std::string, std::string>& metadata, const char* part) {
  const auto content = metadata.find(kContent);
  if (content == metadata.end() || content->second != kTrainingState) {
    throw Error(path.string() + ": not a '" + kTrainingState +
                "', the only kind that this nmt reads; use the nmt that wrote it");
  }
  try {
    return parse_json(metadata.at(part));
  } catch (const std::exception&) {
    throw Error(path.string() + ": incomplete training state; use --restart to start over");
  }
}

}  // namespace

void write_run_state(const std::filesystem::path& path, const RunState& state) {
  auto file = state.tensors;
  file.metadata[kContent] = kTrainingState;
  file.metadata["origin"] = dump_json(state.fingerprint);
  file.metadata["progress"] = dump_json(state.progress);
  write_safetensors(path, file);
}

RunState read_run_state(const std::filesystem::path& path) {
  RunState state;
  state.tensors = read_safetensors(path);
  state.fingerprint = parse_part(path, state.tensors.metadata, "origin");
  state.progress = parse_part(path, state.tensors.metadata, "progress");
  return state;
}

nlohmann::json read_run_progress(const std::filesystem::path& path) {
  return parse_part(path, read_safetensors_header(path).metadata, "progress");
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
