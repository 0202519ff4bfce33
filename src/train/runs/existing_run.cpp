#include "train/runs/existing_run.h"

#include <string>

#include "errors/error.h"
#include "errors/log.h"

namespace nmt {
namespace fs = std::filesystem;

void back_up_run(const ModelDirectory& directory) {
  if (!fs::exists(directory.run_state()) && !directory.holds_model()) return;
  const auto root = fs::absolute(directory.root / "").parent_path();  // without a trailing slash
  fs::path backup;
  for (int i = 1; backup.empty() || fs::exists(backup); ++i) {
    backup = root.string() + ".old-" + std::to_string(i);
  }
  std::error_code error;
  fs::rename(root, backup, error);
  if (error) throw Error(root.string() + ": cannot be renamed: " + error.message());
  log_info("backed up the previous run to {}", backup.string());
  fs::create_directories(root, error);
  fs::rename(backup / directory.corpus_cache().filename(), directory.corpus_cache(), error);
}

void require_run_to_resume(const ModelDirectory& directory, ExistingRunPolicy policy) {
  if (policy != ExistingRunPolicy::kResume || fs::exists(directory.run_state())) return;
  throw Error(directory.root.string() + ": no run to resume (" +
              directory.run_state().filename().string() +
              " is missing); omit --resume to start one");
}

std::optional<RunState> find_run_to_resume(const ModelDirectory& directory,
                                           ExistingRunPolicy policy) {
  if (policy == ExistingRunPolicy::kBackUp || policy == ExistingRunPolicy::kReplace) return {};
  require_run_to_resume(directory, policy);
  if (!fs::exists(directory.run_state())) return {};
  auto state = read_run_state(directory.run_state());
  const auto finish = finish_of(state);
  if (!finish.empty() && policy != ExistingRunPolicy::kResume) {
    throw Error(directory.root.string() + ": its training is finished (" + finish +
                "); use --resume and " + how_to_continue(finish, state.fingerprint.settings) +
                "; --restart backs it up and starts over, --overwrite replaces it");
  }
  return state;
}

}  // namespace nmt
