#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "checkpoint/safetensors.h"

namespace nmt {

/// All that a run needs to go on exactly where it stood between two updates, as one file
/// (docs/model-format.md): what belongs together is never apart, whenever the program is killed.
struct RunState {
  nlohmann::json origin;    // of which run (run_origin.h)
  nlohmann::json progress;  // counters, sums and lists of the trainer
  TensorFile tensors;       // weights, moments, averages, random generators
};

/// Replaces the file once the new one is whole and on the disk. Throws Error.
void write_run_state(const std::filesystem::path& path, const RunState& state);

/// Throws Error when the file is damaged or of a format that this program does not know.
RunState read_run_state(const std::filesystem::path& path);

/// Its progress alone, without the tensors. Throws Error in the same way.
nlohmann::json read_run_progress(const std::filesystem::path& path);

/// Why the run ended; empty when it is unfinished.
std::string finish_of(const RunState& state);

/// The flag of the limit that ended it, which can be raised: "--train.max-updates".
std::string limit_flag(const std::string& finish);

/// A number that JSON cannot write, NaN or infinity, is null there and NaN when read back.
double read_number(const nlohmann::json& value);

}  // namespace nmt
