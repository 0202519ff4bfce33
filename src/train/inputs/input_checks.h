#pragma once

#include "checkpoint/model_directory.h"
#include "config/settings.h"

namespace nmt {

/// Throws Error if the settings name no training corpus, or files that do not exist or can be read
/// only once. `directory`: the model directory, which may have been moved before the run is
/// resumed.
void require_corpora(const DataConfig& data, const ModelDirectory& directory);

/// Checks a new run's inputs before vocabularies are trained, which may take hours: given
/// vocabularies and the initial model load and fit each other, no file is on both sides, and the
/// sides of each corpus have equally many lines of valid UTF-8. Reads each text once. Warns of
/// settings without effect, of sides that seem misaligned or swapped, of targets that are not in
/// Unicode's composed form, and of training text with pairs of the validation or test set. Throws
/// Error, and Interrupted on a signal.
void check_new_run(const Settings& settings);

}  // namespace nmt
