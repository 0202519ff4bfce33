#pragma once

#include <filesystem>

#include "checkpoint/safetensors.h"
#include "train/runs/run_record.h"

namespace nmt {

/// Everything needed to resume a run exactly, between two updates. One file (docs/model-format.md),
/// so that its parts are consistent whenever the program is killed.
struct RunState : RunRecord {
  TensorFile tensors;  // weights, moments, averages, random generators
};

/// Replaces the file atomically. Throws Error.
void write_run_state(const std::filesystem::path& path, const RunState& state);

/// Throws Error when the file is damaged, incomplete or of an unknown format.
RunState read_run_state(const std::filesystem::path& path);

/// Reads the file without its tensors, and its settings as a model's. Throws Error in the same way.
RunRecord read_run_record(const std::filesystem::path& path);

/// Why the run ended; empty when it is unfinished.
std::string finish_of(const RunState& state);

/// Whether its number of updates was chosen to fit a time limit.
bool follows_time_limit(const RunState& state);

/// Advice on continuing a run that ended for the reason `finish`, such as "raise
/// --train.max-updates to continue", with a command.
std::string how_to_continue(const std::filesystem::path& directory, const std::string& finish,
                            const Settings& settings);

}  // namespace nmt
