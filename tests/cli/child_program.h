#pragma once

#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "support/start_command.h"

namespace nmt {

/// `BEFORE nmt ARGUMENTS`, run in the background, so that it can be sent signals. Killed with this
/// object if it still runs.
class ChildProgram {
 public:
  ChildProgram(const std::string& arguments, const std::string& log,
               const std::string& before = "") {
    std::ofstream(log, std::ios::app);  // there from now on, for those that watch it
    process_ = start_command(before + " '" NMT_PROGRAM "' " + arguments, "/dev/null", log);
  }
  ~ChildProgram() {
    if (running()) ::kill(process_, SIGKILL);
    wait();
  }
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  pid_t process() const { return process_; }

  bool running() {
    if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) == process_;
    return !ended_;
  }

  void send(int signal) {
    if (running()) ::kill(process_, signal);
  }

  /// Its exit status, or 128 + the signal that ended it.
  int wait() {
    if (!ended_) ended_ = ::waitpid(process_, &status_, 0) == process_;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }

  /// Waits until `happened`, the program's end or a minute; true for the first.
  bool wait_until(const std::function<bool()>& happened) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (running() && std::chrono::steady_clock::now() < end) {
      if (happened()) return true;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return false;
  }

 private:
  pid_t process_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace nmt
