#include "train/runs/resume.h"

#include <spdlog/spdlog.h>

#include <string>

#include "errors/error.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

void move_aside(const ModelDirectory& directory) {
  if (!fs::exists(directory.run_state()) && !directory.holds_model()) return;
  const auto root = fs::absolute(directory.root / "").parent_path();  // without a last slash
  fs::path aside;
  for (int i = 1; aside.empty() || fs::exists(aside); ++i) {
    aside = root.string() + ".old-" + std::to_string(i);
  }
  std::error_code error;
  fs::rename(root, aside, error);
  if (error) throw Error(root.string() + ": cannot be moved aside: " + error.message());
  spdlog::info("the old run is now in {}", aside.string());
  fs::create_directories(root, error);
  fs::rename(aside / directory.corpus_cache().filename(), directory.corpus_cache(), error);
}

}  // namespace

std::optional<RunState> find_run_to_resume(const ModelDirectory& directory, OldRun wish) {
  if (wish == OldRun::kMoveAside) {
    move_aside(directory);
    return {};
  }
  if (wish == OldRun::kReplace) return {};
  if (!fs::exists(directory.run_state())) {
    if (wish == OldRun::kResume) {
      throw Error(directory.root.string() + ": holds no run to resume (" +
                  directory.run_state().filename().string() +
                  " is missing); without --resume a new one begins");
    }
    return {};
  }
  auto state = read_run_state(directory.run_state());
  const auto finish = finish_of(state);
  if (!finish.empty() && wish != OldRun::kResume) {
    throw Error(directory.root.string() + ": its training is finished (" + finish +
                "); to train on, say --resume with a higher limit (--train.max-epochs); to begin "
                "anew, say --restart, which keeps this one, or --overwrite");
  }
  return state;
}

}  // namespace nmt
