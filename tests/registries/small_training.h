#pragma once

#include <filesystem>

#include "config/settings.h"

namespace nmt {

/// Three updates of a tiny model.
inline Settings small_training() {
  const std::filesystem::path root = NMT_SOURCE_DIR;
  Settings settings;
  settings.data.train_source = {(root / "data/sample/test.ko").string()};
  settings.data.train_target = {(root / "data/sample/test.en").string()};
  settings.vocab.source_model = (root / "models/sample/source.spm").string();
  settings.vocab.target_model = (root / "models/sample/target.spm").string();
  settings.model.embedding_size = 8;
  settings.model.hidden_size = 8;
  settings.train.max_updates = 3;
  settings.train.threads = 1;
  return settings;
}

}  // namespace nmt
