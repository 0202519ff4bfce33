#pragma once

#include <filesystem>
#include <optional>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "train/runs/run_state.h"

namespace nmt {

/// What happens to the run that the model directory holds.
enum class ExistingRunPolicy {
  kContinue,  // resume it if it is unfinished; never touch a finished model
  kResume,    // it must exist; a finished one is continued where its limits allow
  kBackUp,    // rename the directory and start over
  kReplace,   // start over; the run is removed once the new one has its inputs
};

/// Throws Error when the policy needs a run to resume and the directory holds none.
void require_run_to_resume(const ModelDirectory& directory, ExistingRunPolicy policy);

/// The state to resume from, or nullopt to start a new run. Throws Error when the directory holds
/// something that the policy does not allow.
std::optional<RunState> find_run_to_resume(const ModelDirectory& directory,
                                           ExistingRunPolicy policy, const Settings& requested,
                                           bool accepts_changes);

/// Throws Error when a run of these settings would read files that back_up_run() takes away;
/// held-out texts that it chooses again do not matter.
void require_movable(const ModelDirectory& directory, const Settings& settings);

/// Renames a directory that holds a run or a model to DIRECTORY.old-N, all but its corpus cache.
/// Returns that name, empty for other directories. Throws Error.
std::filesystem::path back_up_run(const ModelDirectory& directory);

/// Undoes that unless a new run has been saved in the directory.
void put_back_unreplaced(const ModelDirectory& directory, const std::filesystem::path& backup);

}  // namespace nmt
