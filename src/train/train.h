#pragma once

#include <filesystem>
#include <string>

#include "config/settings.h"
#include "train/runs/existing_run.h"

namespace nmt {

struct TrainRequest {
  Settings settings;
  std::filesystem::path model_dir;
  ExistingRunPolicy existing_run = ExistingRunPolicy::kContinue;
  bool accept_changes = false;  // resume although settings or corpora have changed
  bool gives_updates = false;   // train.max_updates was given, not read from the run's config
};

/// Trains a translator from parallel text: checks and tokenizes the corpora, trains vocabularies
/// unless they are given, trains the network and writes a complete model directory. Resumes an
/// unfinished run in the directory. Throws Error for anything that the user can fix, before the
/// first update if possible, and Interrupted if a signal ended the run, after saving it.
void train(TrainRequest request);

struct LanguageModelRequest {
  TrainRequest training;                // the text is both sides of its corpora
  std::filesystem::path vocabulary_of;  // a translator's model directory; empty: train one. What it
                                        // held out is left out of the training text
  std::string side = "target";          // the vocabulary to use: target or source
};

/// Trains a language model, as a translator that ignores its source. Throws as train() does.
void train_language_model(LanguageModelRequest request);

}  // namespace nmt
