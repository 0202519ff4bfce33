#pragma once

#include "checkpoint/model_directory.h"

namespace nmt {

/// Translates the test set that the model's config.yaml names (data.test_source), as `nmt evaluate`
/// does by default but with the tokenizer of bleu_options_for, logs BLEU, chrF2 and TER with the
/// command that repeats them, and records them in training.json. Nothing without a test set, or
/// where the scores are there; a warning where no line has a reference. Throws Error; Interrupted.
void score_test_set(const ModelDirectory& directory);

}  // namespace nmt
