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
  bool gives_updates = false;   // train.max_updates is of this request, not from the run's config
};

/// Trains a translator from two text files: checks and tokenizes the corpus, trains vocabularies
/// unless they are given, trains the network and leaves a complete model directory. Resumes an
/// unfinished run that the directory holds.
/// Throws Error on anything the user can fix, before the first update wherever possible;
/// Interrupted when a signal ended the run, after saving it.
void train(TrainRequest request);

struct LanguageModelRequest {
  TrainRequest training;                // both sides of its corpora are one text
  std::filesystem::path vocabulary_of;  // a translator's model directory; empty: train one
  std::string side = "target";          // of its vocabularies: target or source
};

/// Trains a language model, as a translator that ignores its source. Throws as train() does.
void train_language_model(LanguageModelRequest request);

}  // namespace nmt
