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

std::string ModelDirectory::text_at(const std::string& path) const {
  const fs::path saved = path;
  const auto own = held_out() / saved.filename();
  const bool is_held_out = saved.parent_path().filename() == held_out().filename();
  return is_held_out && fs::exists(own) ? own.string() : path;
}

bool ModelDirectory::holds_model() const {
  return fs::exists(weights()) || fs::exists(last_weights());
}

bool ModelDirectory::holds_run() const { return fs::exists(run_state()); }

bool ModelDirectory::has_part(const fs::path& path) const {
  auto all = parts();
  all.insert(all.end(), {corpus_cache(), held_out()});
  std::error_code ignored;
  const auto inner =
      fs::weakly_canonical(path, ignored).lexically_relative(fs::weakly_canonical(root, ignored));
  return !inner.empty() && std::any_of(all.begin(), all.end(), [&](const auto& part) {
    return part.filename() == *inner.begin();
  });
}

void ModelDirectory::require_free(bool overwrite, const char* advice) const {
  if (fs::exists(root) && !fs::is_directory(root)) {
    throw Error(root.string() + ": is a file; use the name of a folder");
  }
  if (overwrite) return;
  if (holds_model()) throw Error(root.string() + ": already holds a model; " + advice);
  if (holds_run()) throw Error(root.string() + ": already holds a training run; " + advice);
}

void ModelDirectory::require_no_run(bool overwrite) const {
  if (holds_run()) {
    throw Error(root.string() +
                ": holds a training run, which would be deleted; use another directory");
  }
  require_free(overwrite, "use --overwrite to replace it");
}

// In the order of removal: first the training state, then the weights, so that a half-removed model
// can be neither resumed nor loaded.
std::vector<fs::path> ModelDirectory::parts() const {
  return {run_state(), weights(),          last_weights(),     checksums(),
          settings(),  source_tokenizer(), target_tokenizer(), metrics(),
          summary(),   calibration(),      checkpoints(),      reverse_model()};
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
  std::error_code ignored;  // a file that cannot be deleted only takes space
  for (const auto& folder : {root, checkpoints(), corpus_cache()}) {
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (is_numbered(entry.path().extension().string(), ".tmp")) fs::remove(entry.path(), ignored);
    }
  }
}

void require_not_model(const std::vector<fs::path>& outputs, const std::vector<fs::path>& models) {
  require_not_input(outputs, models);
  for (const auto& output : outputs) {
    for (const auto& model : models) {
      if (output.empty() || !fs::is_directory(model) || !ModelDirectory{model}.has_part(output)) {
        continue;
      }
      throw UsageError(output.string() + ": a file of the model that is read; use another file");
    }
  }
}

}  // namespace nmt
