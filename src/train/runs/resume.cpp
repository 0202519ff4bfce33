#include "train/runs/resume.h"

#include <spdlog/spdlog.h>

#include <string>

#include "errors/error.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;

}  // namespace

void back_up_run(const ModelDirectory& directory) {
  if (!fs::exists(directory.run_state()) && !directory.holds_model()) return;
  const auto root = fs::absolute(directory.root / "").parent_path();  // without a last slash
  fs::path aside;
  for (int i = 1; aside.empty() || fs::exists(aside); ++i) {
    aside = root.string() + ".old-" + std::to_string(i);
  }
  std::error_code error;
  fs::rename(root, aside, error);
  if (error) throw Error(root.string() + ": cannot be renamed: " + error.message());
  spdlog::info("backed up the previous run to {}", aside.string());
  fs::create_directories(root, error);
  fs::rename(aside / directory.corpus_cache().filename(), directory.corpus_cache(), error);
}

void require_run_to_resume(const ModelDirectory& directory, OldRun wish) {
  if (wish != OldRun::kResume || fs::exists(directory.run_state())) return;
  throw Error(directory.root.string() + ": no run to resume (" +
              directory.run_state().filename().string() +
              " is missing); omit --resume to start one");
}

std::optional<RunState> find_run_to_resume(const ModelDirectory& directory, OldRun wish) {
  if (wish == OldRun::kMoveAside || wish == OldRun::kReplace) return {};
  require_run_to_resume(directory, wish);
  if (!fs::exists(directory.run_state())) return {};
  auto state = read_run_state(directory.run_state());
  const auto finish = finish_of(state);
  if (!finish.empty() && wish != OldRun::kResume) {
    throw Error(directory.root.string() + ": its training is finished (" + finish +
                "); use --resume and raise " + limit_flag(finish) +
                " to continue, --restart to back it up and start over, or --overwrite to replace "
                "it");
  }
  return state;
}

}  // namespace nmt
