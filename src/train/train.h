#pragma once

#include <filesystem>

#include "config/settings.h"
#include "train/runs/resume.h"

namespace nmt {

struct TrainRequest {
  Settings settings;
  std::filesystem::path model_dir;
  OldRun old_run = OldRun::kContinue;
  bool accept_changes = false;  // resume although settings or corpora are others
};

/// Trains a translator from two text files: checks and tokenises the corpus, trains vocabularies
/// where none are given, trains the network, and leaves a complete model directory. A run that the
/// directory holds unfinished goes on.
/// Throws Error on anything the user can mend, before the first step wherever possible; Interrupted
/// when a signal ended the run, which is saved by then.
void train(const TrainRequest& request);

}  // namespace nmt
