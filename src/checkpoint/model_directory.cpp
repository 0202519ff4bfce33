#include "checkpoint/model_directory.h"

#include "support/error.h"

namespace nmt {
namespace fs = std::filesystem;

bool ModelDirectory::holds_model() const {
  return fs::exists(weights()) || fs::exists(last_weights());
}

void ModelDirectory::require_free(bool overwrite) const {
  if (fs::exists(root) && !fs::is_directory(root)) {
    throw Error(root.string() + ": is a file; --model-dir has to name a folder");
  }
  if (holds_model() && !overwrite) {
    throw Error(root.string() +
                ": already holds a model; choose another --model-dir, or say --overwrite to "
                "replace it");
  }
}

void ModelDirectory::make() const {
  std::error_code error;
  fs::create_directories(root, error);
  if (error) throw Error(root.string() + ": cannot be made: " + error.message());
}

void ModelDirectory::clear() const {
  for (const auto& path : {weights(), last_weights(), checksums(), settings(), source_tokenizer(),
                           target_tokenizer(), metrics(), summary()}) {
    fs::remove(path);
  }
  fs::remove_all(checkpoints());
  fs::create_directories(checkpoints());
}

}  // namespace nmt
