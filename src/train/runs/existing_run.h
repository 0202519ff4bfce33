#pragma once

#include <filesystem>
#include <optional>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "train/runs/run_state.h"

namespace nmt {

/// What to do with an existing run in the model directory.
enum class ExistingRunPolicy {
  kContinue,  // resume an unfinished run; refuse a finished one
  kResume,    // a run must exist; continue a finished one if a limit was raised
  kBackUp,    // rename the directory and start over
  kReplace,   // start over; remove the old run once the new inputs are ready
};

/// Throws Error when the policy needs a run to resume and the directory holds none.
void require_run_to_resume(const ModelDirectory& directory, ExistingRunPolicy policy);

/// The state to resume from, or nullopt to start a new run. Throws Error when the directory holds
/// something that the policy does not allow, or what the requested run would read and replace.
std::optional<RunState> find_run_to_resume(const ModelDirectory& directory,
                                           ExistingRunPolicy policy, const Settings& requested,
                                           bool accepts_changes);

/// Throws Error if a run with these settings would read files that back_up_run() moves away, except
/// held-out texts, which it chooses again.
void require_movable(const ModelDirectory& directory, const Settings& settings);

/// Renames a directory that holds a run or a model to DIRECTORY.old-N, but keeps the corpus cache
/// in place. Returns the new name, or an empty path for other directories. Throws Error.
std::filesystem::path back_up_run(const ModelDirectory& directory);

/// Undoes back_up_run(), unless a new run has been saved in the directory.
void restore_backup(const ModelDirectory& directory, const std::filesystem::path& backup);

}  // namespace nmt
