#include "distributed/launcher.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include "errors/error.h"
#include "errors/exit_code.h"
#include "processes/interrupt.h"
#include "processes/subprocess.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kPollInterval = 50ms;
constexpr auto kTimeToEnd = 5min;  // process 0 may be saving to a slow disk

/// A port that nothing listens to; another program may take it before it is used.
int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* general = reinterpret_cast<sockaddr*>(&address);
  const bool found = socket >= 0 && ::bind(socket, general, size) == 0 &&
                     ::getsockname(socket, general, &size) == 0;
  if (socket >= 0) ::close(socket);
  if (!found)
    throw Error("127.0.0.1: no free port for the processes to connect to; close other programs");
  return ntohs(address.sin_port);
}

/// The processes of one attempt. Those that still run are killed with this object.
class Processes {
 public:
  /// `launched`: RankInfo::launched, as written in the environment.
  Processes(const LaunchRequest& request, const std::string& launched) {
    const auto size = std::to_string(request.processes);
    const auto port = std::to_string(free_port());
    Subprocess::Options options;
    options.own_group = true;  // or Ctrl-C would arrive twice: from the terminal and forwarded
    for (int rank = 0; rank < request.processes; ++rank) {
      const auto number = std::to_string(rank);
      options.environment = {"RANK=" + number,          "WORLD_SIZE=" + size,
                             "LOCAL_RANK=" + number,    "LOCAL_WORLD_SIZE=" + size,
                             "MASTER_ADDR=127.0.0.1",   "MASTER_PORT=" + port,
                             "NMT_LAUNCHED=" + launched};
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
    // A process that ends for another's signal exits with kSignalled alone.
    if (status.code() == 0 || (failure_ != 0 && failure_ != kSignalled)) return;
    failure_ = status.code();
    failed_at_ = Clock::now();
    if (status.signal == 0) return;  // it has printed the reason itself
    std::cerr << "nmt: process " + std::to_string(rank) + " was killed by signal " +
                     std::to_string(status.signal) + " (" + ::strsignal(status.signal) + ")\n";
  }

  std::vector<Process> running_;
  bool told_to_end_ = false;
  int failure_ = 0;  // exit code of the first that failed
  Clock::time_point failed_at_;
};

/// Whether starting the processes again would not help, or somebody has ended one by a signal.
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
