#pragma once

#include <optional>

#include "checkpoint/model_directory.h"
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
                                           ExistingRunPolicy policy);

/// Renames a directory that holds a run or a model to DIRECTORY.old-N, all but its corpus cache.
/// Throws Error.
void back_up_run(const ModelDirectory& directory);

}  // namespace nmt
