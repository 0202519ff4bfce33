#pragma once

#include <filesystem>
#include <string>

#include "train/train.h"

namespace nmt {

struct LanguageModelRequest {
  TrainRequest training;                // both sides of its corpora are one text
  std::filesystem::path vocabulary_of;  // a translator's model directory; empty: train one
  std::string side = "target";          // of its vocabularies: target or source
};

/// Trains a language model, as a translator that ignores its source. Throws as train() does.
void train_language_model(LanguageModelRequest request);

}  // namespace nmt
