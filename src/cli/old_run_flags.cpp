#include "cli/old_run_flags.h"

namespace nmt {

void OldRunFlags::add_to(CLI::App& command) {
  auto* resume_flag = command.add_flag(
      "--resume", resume,
      "Go on with the run in the folder, a finished one too where its limits were raised. An "
      "unfinished one goes on without this as well. Without --config and text its settings are "
      "used");
  auto* restart_flag = command.add_flag("--restart", restart,
                                        "Begin anew; the folder is first renamed to FOLDER.old-N");
  auto* overwrite_flag =
      command.add_flag("--overwrite", overwrite, "Begin anew and replace what the folder holds");
  resume_flag->excludes(restart_flag)->excludes(overwrite_flag);
  restart_flag->excludes(overwrite_flag);
  command.add_flag("--accept-changes", accept_changes,
                   "Resume although settings or corpora have changed");
}

OldRun OldRunFlags::old_run() const {
  if (resume) return OldRun::kResume;
  if (restart) return OldRun::kMoveAside;
  return overwrite ? OldRun::kReplace : OldRun::kContinue;
}

}  // namespace nmt
