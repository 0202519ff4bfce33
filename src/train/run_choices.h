#pragma once

#include <optional>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "distributed/process_group.h"
#include "planning/choose_settings.h"
#include "train/runs/run_state.h"

namespace nmt {

/// Makes all choices of a run, by rank 0 for all, and checks them against each other. A run that is
/// resumed in `directory`, whose `state` this is, keeps its own. Throws Error.
SettingsChoice make_choices(Settings settings, const ModelDirectory& directory,
                            const std::optional<RunState>& state, ProcessGroup& group);

/// Checks whether a new run of these choices has the memory, as far as is known, and the inputs
/// (check_new_run). Throws Error; Interrupted on a signal.
void check_choices(const Settings& settings);

}  // namespace nmt
