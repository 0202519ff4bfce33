#pragma once

#include <optional>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "distributed/process_group.h"
#include "planning/choose_settings.h"
#include "train/runs/run_state.h"

namespace nmt {

/// Chooses a run's automatic settings, on rank 0 for all processes, and validates the result. A run
/// resumed from `state` in `directory` keeps its choices. Throws Error.
SettingsChoice make_choices(Settings settings, const ModelDirectory& directory,
                            const std::optional<RunState>& state, ProcessGroup& group);

/// Checks whether a new run with these settings has enough memory, as far as can be known, and
/// valid inputs (check_new_run). Throws Error, and Interrupted on a signal.
void check_choices(const Settings& settings);

}  // namespace nmt
