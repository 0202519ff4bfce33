#include "distributed/launcher.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "errors/exit_code.h"
#include "files/scratch_folder.h"
#include "processes/interrupt.h"
#include "processes/subprocess.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kPollInterval = 50ms;
constexpr auto kTimeToEnd = 5min;  // process 0 may be saving to a slow disk

/// The processes of one attempt. The destructor kills those that still run.
class Processes {
 public:
  /// `launched`: RankInfo::launched, as written in the environment.
  Processes(const LaunchRequest& request, const std::string& launched) {
    const auto size = std::to_string(request.processes);
    Subprocess::Options options;
    options.own_group = true;  // or Ctrl-C would arrive twice: from the terminal and forwarded
    for (int rank = 0; rank < request.processes; ++rank) {
      const auto number = std::to_string(rank);
      options.environment = {
          "RANK=" + number,
          "WORLD_SIZE=" + size,
          "LOCAL_RANK=" + number,
          "LOCAL_WORLD_SIZE=" + size,
          "NMT_LAUNCHED=" + launched,
          "NMT_LAUNCHER=" + std::to_string(::getpid()),
          "NMT_LAUNCH_FOLDER=" + folder_.path().string(),
          "TORCHELASTIC_USE_AGENT_STORE="};  // of a torchrun that started this program
      running_.push_back({rank, std::make_unique<Subprocess>(request.command, options)});
    }
  }

  int wait() {
    while (!running_.empty()) {
      forward_signal();
      collect();
      if (failure_ != 0 && Clock::now() - failed_at_ > kTimeToEnd) send(SIGKILL);
      std::this_thread::sleep_for(kPollInterval);
    }
    return failure_;
  }

  /// Whether a signal to this program has ended them.
  bool told_to_end() const { return told_to_end_; }

 private:
  struct Process {
    int rank;
    std::unique_ptr<Subprocess> program;
  };

  void send(int signal) const {
    for (const auto& process : running_) process.program->send(signal);
  }

  void forward_signal() {
    const int signal = took_hangup() ? SIGTERM : interrupting_signal();
    if (signal == 0 || told_to_end_) return;
    told_to_end_ = true;
    send(signal);
  }

  void collect() {
    const auto has_ended = [this](const Process& process) {
      const auto status = process.program->poll();
      if (status) note(process.rank, *status);
      return status.has_value();
    };
    running_.erase(std::remove_if(running_.begin(), running_.end(), has_ended), running_.end());
  }

  void note(int rank, const ExitStatus& status) {
    // A process that ends because another got a signal exits with kSignalled itself, so a later
    // code replaces it.
    if (status.code() == 0 || (failure_ != 0 && failure_ != kSignalled)) return;
    failure_ = status.code();
    failed_at_ = Clock::now();
    if (status.signal == 0) return;  // it has printed the reason itself
    std::cerr << "nmt: process " + std::to_string(rank) + " was killed by signal " +
                     std::to_string(status.signal) + " (" + ::strsignal(status.signal) + ")\n";
  }

  const ScratchFolder folder_;  // RankInfo::launch_folder
  std::vector<Process> running_;
  bool told_to_end_ = false;
  int failure_ = 0;  // exit code of the first that failed
  Clock::time_point failed_at_;
};

/// Whether not to restart: success, wrong usage, or a process ended by a user's signal.
bool is_final(int code) {
  return code == 0 || code == kWrongUsage || code == kSignalled + SIGINT ||
         code == kSignalled + SIGTERM || code == kSignalled + SIGHUP;
}

}  // namespace

int launch(const LaunchRequest& request) {
  if (!ignores_hangups()) catch_hangups();
  catch_interrupts();
  const auto now = std::filesystem::file_time_type::clock::now().time_since_epoch().count();
  for (int attempt = 0;; ++attempt) {
    Processes processes(request, std::to_string(now));
    const int code = processes.wait();
    if (is_final(code) || processes.told_to_end() || attempt == request.restarts) return code;
    std::cerr << "nmt: restarting all processes (" + std::to_string(attempt + 1) + " of " +
                     std::to_string(request.restarts) + ")\n";
  }
}

}  // namespace nmt
