#pragma once

#include <string>
#include <vector>

namespace nmt {

struct LaunchRequest {
  int processes = 1;
  int restarts = 0;                  // maximum restarts of all processes after a failure
  std::vector<std::string> command;  // the program and its arguments
};

/// Starts `processes` copies of the command on this machine, each with its rank in the environment
/// (rank_info.h), and waits for all. Passes SIGINT and SIGTERM on, and SIGHUP, which a closed
/// terminal sends, as SIGTERM. When one fails, the others detect this and end by themselves; those
/// still running after five minutes are killed. Returns 0 or the exit code of the process that
/// failed first, 128 + the signal's number if a signal ended it. Throws Error when they cannot be
/// started.
int launch(const LaunchRequest& request);

}  // namespace nmt
