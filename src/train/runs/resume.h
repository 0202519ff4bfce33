#pragma once

#include <optional>

#include "checkpoint/model_directory.h"
#include "train/runs/run_state.h"

namespace nmt {

/// What happens to the run that the model directory holds.
enum class OldRun {
  kContinue,   // if it is unfinished; a model is left alone
  kResume,     // it has to be there; a finished one goes on where its limits allow
  kMoveAside,  // the folder is renamed
  kReplace,    // it is removed once the new run has its inputs
};

/// Throws Error when the folder has to hold a run and holds none.
void require_run_to_resume(const ModelDirectory& directory, OldRun wish);

/// The state to resume from, or nothing when a run begins. Throws Error when the folder holds
/// something that `wish` does not allow.
std::optional<RunState> find_run_to_resume(const ModelDirectory& directory, OldRun wish);

/// Renames a folder that holds a run or a model to FOLDER.old-N, all but its corpus cache. Throws
/// Error.
void back_up_run(const ModelDirectory& directory);

}  // namespace nmt
