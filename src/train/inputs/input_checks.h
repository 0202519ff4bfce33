#pragma once

#include "checkpoint/model_directory.h"
#include "config/settings.h"

namespace nmt {

/// Throws Error when the settings name no training corpus, or files that do not exist or can be
/// read only once. `directory`: of the run, which may be resumed elsewhere.
void require_corpora(const DataConfig& data, const ModelDirectory& directory);

/// Everything about a new run's inputs that can be checked before its vocabularies are trained,
/// which may take hours: ready vocabularies and the initial model load and fit each other, no file
/// stands on two sides, and the sides of each corpus have equally many lines, of valid UTF-8. Reads
/// each text once. Warns of settings that have no effect, and of sides that seem misaligned or
/// swapped. Throws Error; Interrupted on a signal.
void check_new_run(const Settings& settings);

}  // namespace nmt
