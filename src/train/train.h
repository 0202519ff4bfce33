#pragma once

#include <filesystem>

#include "config/settings.h"

namespace nmt {

struct TrainRequest {
  Settings settings;
  std::filesystem::path model_dir;
  bool overwrite = false;  // replace the model that model_dir holds
};

/// Trains a translator from two text files: checks and tokenises the corpus, trains vocabularies
/// where none are given, trains the network, and leaves a complete model directory.
/// Throws Error on anything the user can mend, before the first step wherever possible.
void train(const TrainRequest& request);

}  // namespace nmt
