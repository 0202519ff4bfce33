#include "train/runs/run_state.h"

#include <limits>
#include <string>

#include "errors/error.h"

namespace nmt {
namespace {

// `format` and its version are those of every file of ours: this one says what is in it.
constexpr char kContent[] = "content";
constexpr char kTrainingState[] = "training state 2";

}  // namespace

void write_run_state(const std::filesystem::path& path, const RunState& state) {
  auto file = state.tensors;
  file.metadata[kContent] = kTrainingState;
  file.metadata["origin"] = state.origin.dump();
  file.metadata["progress"] = state.progress.dump();
  write_safetensors(path, file);
}

RunState read_run_state(const std::filesystem::path& path) {
  RunState state;
  state.tensors = read_safetensors(path);
  const auto& metadata = state.tensors.metadata;
  const auto content = metadata.find(kContent);
  if (content == metadata.end() || content->second != kTrainingState) {
    throw Error(path.string() + ": is not a '" + kTrainingState +
                "', the only one that this nmt reads");
  }
  try {
    state.origin = nlohmann::json::parse(metadata.at("origin"));
    state.progress = nlohmann::json::parse(metadata.at("progress"));
  } catch (const std::exception&) {
    throw Error(path.string() + ": lacks what a training state has to say; the file is damaged");
  }
  return state;
}

std::string finish_of(const RunState& state) { return state.progress.value("finish", ""); }

double read_number(const nlohmann::json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

}  // namespace nmt
