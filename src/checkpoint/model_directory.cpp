#include "checkpoint/model_directory.h"

#include "errors/error.h"
#include "files/file.h"

namespace nmt {
namespace fs = std::filesystem;

bool ModelDirectory::holds_model() const {
  return fs::exists(weights()) || fs::exists(last_weights());
}

void ModelDirectory::require_free(bool overwrite, const char* advice) const {
  if (fs::exists(root) && !fs::is_directory(root)) {
    throw Error(root.string() + ": is a file; use the name of a folder");
  }
  if (holds_model() && !overwrite) {
    throw Error(root.string() + ": already holds a model; " + advice);
  }
}

void ModelDirectory::make() const { make_folder(root); }

void ModelDirectory::clear() const {
  // The training state first: what is half removed must not be resumed.
  for (const auto& path :
       {run_state(), weights(), last_weights(), checksums(), settings(), source_tokenizer(),
        target_tokenizer(), metrics(), summary(), calibration()}) {
    fs::remove(path);
  }
  fs::remove_all(checkpoints());
  fs::remove_all(reverse_model());
  fs::create_directories(checkpoints());
}

void ModelDirectory::remove_temporaries() const {
  std::error_code ignored;  // what cannot be deleted only takes room
  for (const auto& folder : {root, checkpoints(), corpus_cache()}) {
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const auto kind = entry.path().extension().string();  // .tmp and the number of a process
      const bool temporary = kind.rfind(".tmp", 0) == 0 && kind.size() > 4 &&
                             kind.find_first_not_of("0123456789", 4) == std::string::npos;
      if (temporary) fs::remove(entry.path(), ignored);
    }
  }
}

}  // namespace nmt
