#pragma once

#include "checkpoint/model_directory.h"

namespace nmt {

/// Translates the test set that the model's config.yaml names (data.test_source) with the defaults
/// of `nmt evaluate`, except for the tokenizer, which bleu_options_for chooses. Logs BLEU, chrF2
/// and TER with the command that reproduces them and records them in training.json. Does nothing
/// without a test set or if the scores are recorded already; warns if no line has a reference.
/// Throws Error, and Interrupted on a signal.
void score_test_set(const ModelDirectory& directory);

}  // namespace nmt
