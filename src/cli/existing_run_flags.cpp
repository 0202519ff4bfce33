#include "cli/existing_run_flags.h"

#include <filesystem>

namespace nmt {

void ExistingRunFlags::add_to(CLI::App& command) {
  auto* resume_flag = command.add_flag(
      "--resume", resume, "Resume the run in the directory; its settings apply without --config");
  auto* restart_flag = command.add_flag("--restart", restart,
                                        "Rename the directory to DIRECTORY.old-N and start over");
  auto* overwrite_flag =
      command.add_flag("--overwrite", overwrite, "Replace what the directory holds and start over");
  resume_flag->excludes(restart_flag)->excludes(overwrite_flag);
  restart_flag->excludes(overwrite_flag);
  command.add_flag("--accept-changes", accept_changes, "Resume with changed settings or corpora")
      ->excludes(restart_flag)
      ->excludes(overwrite_flag);
}

ExistingRunPolicy ExistingRunFlags::policy() const {
  if (resume) return ExistingRunPolicy::kResume;
  if (restart) return ExistingRunPolicy::kBackUp;
  return overwrite ? ExistingRunPolicy::kReplace : ExistingRunPolicy::kContinue;
}

bool ExistingRunFlags::starts_new(const ModelDirectory& directory) const {
  return restart || overwrite || !std::filesystem::exists(directory.run_state());
}

}  // namespace nmt
