#pragma once

#include <string>
#include <vector>

namespace nmt {

struct LaunchRequest {
  int processes = 1;
  int restarts = 0;                  // how often all are started again after one has failed
  std::vector<std::string> command;  // the program and its arguments
};

/// Starts the command so many times on this machine, each with its place in the environment
/// (process_place.h), and waits for all. SIGINT and SIGTERM are passed on. When one fails the
/// others have half a minute to end, which they notice themselves, and are then killed.
/// Returns 0 or the exit code of the one that failed first; 128 + the signal's number when a signal
/// ended it. Throws Error when they cannot be started.
int launch(const LaunchRequest& request);

}  // namespace nmt
