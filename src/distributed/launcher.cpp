#include "distributed/launcher.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <string_view>
#include <thread>

#include "errors/error.h"
#include "errors/exit_code.h"
#include "processes/interrupt.h"

extern char** environ;

namespace nmt {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 50ms;
constexpr auto kTimeToEnd = 30s;

/// A port of this machine that nothing listens to; another may take it before it is used.
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
  if (!found) throw Error("no port of 127.0.0.1 is free for the processes to meet at");
  return ntohs(address.sin_port);
}

/// This process's environment with other values for these names.
std::vector<std::string> environment_with(const std::vector<std::string>& settings) {
  const auto name_of = [](std::string_view entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> all = settings;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced = std::any_of(settings.begin(), settings.end(), [&](const auto& setting) {
      return name_of(setting) == name_of(*entry);
    });
    if (!replaced) all.emplace_back(*entry);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// With the signals of a program that a shell starts: this one holds SIGINT and SIGTERM back. In a
/// group of its own, or Ctrl-C would come to it twice: from the terminal and passed on.
pid_t start(std::vector<std::string> command, std::vector<std::string> environment) {
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  const int error = ::posix_spawn(&process, command.front().c_str(), nullptr, &attributes,
                                  pointers_to(command).data(), pointers_to(environment).data());
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw Error(command.front() + ": cannot be started: " + std::strerror(error));
  }
  return process;
}

/// The processes of one attempt.
class Processes {
 public:
  explicit Processes(const LaunchRequest& request) {
    const auto size = std::to_string(request.processes);
    const auto port = std::to_string(free_port());
    for (int rank = 0; rank < request.processes; ++rank) {
      const auto number = std::to_string(rank);
      running_.push_back(
          {rank, start(request.command,
                       environment_with({"RANK=" + number, "WORLD_SIZE=" + size,
                                         "LOCAL_RANK=" + number, "LOCAL_WORLD_SIZE=" + size,
                                         "MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + port}))});
    }
  }

  ~Processes() {
    send(SIGKILL);
    for (const auto& process : running_) ::waitpid(process.id, nullptr, 0);
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  int wait() {
    while (!running_.empty()) {
      pass_signal_on();
      collect();
      if (failure_ != 0 && Clock::now() - failed_at_ > kTimeToEnd) send(SIGKILL);
      std::this_thread::sleep_for(kLook);
    }
    return failure_;
  }

 private:
  struct Process {
    int rank;
    pid_t id;
  };

  void send(int signal) const {
    for (const auto& process : running_) ::kill(process.id, signal);
  }

  void pass_signal_on() {
    if (!interrupted() || signal_passed_) return;
    signal_passed_ = true;
    send(interrupting_signal());
  }

  void collect() {
    const auto has_ended = [this](const Process& process) {
      int status = 0;
      if (::waitpid(process.id, &status, WNOHANG) != process.id) return false;
      note(process.rank, status);
      return true;
    };
    running_.erase(std::remove_if(running_.begin(), running_.end(), has_ended), running_.end());
  }

  void note(int rank, int status) {
    const int code = WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
    if (code == 0 || failure_ != 0) return;
    failure_ = code;
    failed_at_ = Clock::now();
    if (!WIFSIGNALED(status)) return;  // else it has said why itself
    std::cerr << "nmt: process " + std::to_string(rank) + " was ended by signal " +
                     std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) +
                     ")\n";
  }

  std::vector<Process> running_;
  bool signal_passed_ = false;
  int failure_ = 0;  // exit code of the first that failed
  Clock::time_point failed_at_;
};

}  // namespace

int launch(const LaunchRequest& request) {
  catch_interrupts();
  for (int attempt = 0;; ++attempt) {
    const int code = Processes(request).wait();
    // Another try does not mend wrong usage.
    if (code == 0 || code == kWrongUsage || interrupted() || attempt == request.restarts) {
      return code;
    }
    std::cerr << "nmt: starting all processes again (" + std::to_string(attempt + 1) + " of " +
                     std::to_string(request.restarts) + ")\n";
  }
}

}  // namespace nmt
