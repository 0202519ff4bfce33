#include "checkpoint/model_directory.h"

#include <algorithm>

#include "errors/error.h"
#include "files/file.h"

namespace nmt {
namespace fs = std::filesystem;
namespace {

void rename_into(const fs::path& folder, const std::vector<fs::path>& paths) {
  for (const auto& path : paths) {
    if (fs::exists(path)) fs::rename(path, folder / path.filename());
  }
}

}  // namespace

bool ModelDirectory::holds_model() const {
  return fs::exists(weights()) || fs::exists(last_weights());
}

bool ModelDirectory::holds_run() const { return fs::exists(run_state()); }

void ModelDirectory::require_free(bool overwrite, const char* advice) const {
  if (fs::exists(root) && !fs::is_directory(root)) {
    throw Error(root.string() + ": is a file; use the name of a folder");
  }
  if (overwrite) return;
  if (holds_model()) throw Error(root.string() + ": already holds a model; " + advice);
  if (holds_run()) throw Error(root.string() + ": already holds a training run; " + advice);
}

// The training state first, then the weights: what is half removed must be neither resumed nor
// loaded.
std::vector<fs::path> ModelDirectory::parts() const {
  return {
      run_state(),        weights(), last_weights(), checksums(),   settings(), source_tokenizer(),
      target_tokenizer(), metrics(), summary(),      calibration(), card(),     checkpoints(),
      reverse_model()};
}

void ModelDirectory::clear() const {
  for (const auto& path : parts()) fs::remove_all(path);
  fs::create_directories(checkpoints());
}

void ModelDirectory::move_to(const ModelDirectory& other) const {
  rename_into(other.root, parts());
}

void ModelDirectory::take_from(const ModelDirectory& other) const {
  auto paths = other.parts();
  std::reverse(paths.begin(), paths.end());
  rename_into(root, paths);
}

void ModelDirectory::remove_temporaries() const {
  std::error_code ignored;  // what cannot be deleted only takes room
  for (const auto& folder : {root, checkpoints(), corpus_cache()}) {
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (is_numbered(entry.path().extension().string(), ".tmp")) fs::remove(entry.path(), ignored);
    }
  }
}

}  // namespace nmt
