#include "processes/subprocess.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "errors/error.h"
#include "errors/exit_code.h"
#include "processes/interrupt.h"

extern char** environ;

namespace nmt {
namespace {

/// The attributes and file actions for posix_spawn.
class Plan {
 public:
  Plan() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~Plan() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// nmt blocks SIGINT and SIGTERM and ignores SIGPIPE and SIGXFSZ; all would be inherited.
  void reset_signals(bool own_group) {
    sigset_t signals;
    sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&attributes, &signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
    ::posix_spawnattr_setflags(
        &attributes, static_cast<int16_t>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));
  }

  void write_to(const std::filesystem::path& log, const std::filesystem::path& errors) {
    constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), kNew, 0600);
    if (errors.empty()) {
      ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    } else {
      ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), kNew, 0600);
    }
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// This process's environment, overridden by `settings` (NAME=VALUE).
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
  std::vector<char*> pointers(texts.size() + 1, nullptr);  // the last ends the list
  for (size_t i = 0; i < texts.size(); ++i) pointers[i] = texts[i].data();
  return pointers;
}

std::mutex groups_mutex;
std::set<pid_t> groups;  // process groups of running subprocesses

void note_group(pid_t group, bool runs) {
  const std::lock_guard<std::mutex> lock(groups_mutex);
  runs ? void(groups.insert(group)) : void(groups.erase(group));
}

ExitStatus from_wait(int status) {
  if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace

std::filesystem::path program_file() {
  std::error_code error;
  auto file = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw Error("/proc/self/exe: cannot be read: " + error.message() + "; mount /proc");
  return file;
}

void replace_process(const std::filesystem::path& program, char* const* argv) {
  hand_over_ignored_hangups();
  ::execv(program.c_str(), argv);
  throw Error(program.string() + ": cannot be started: " + std::strerror(errno));
}

void kill_process_groups() {
  const std::lock_guard<std::mutex> lock(groups_mutex);
  for (const pid_t group : groups) ::kill(-group, SIGKILL);
}

int ExitStatus::code() const { return signal != 0 ? kSignalled + signal : exit_code; }

Subprocess::Subprocess(const std::vector<std::string>& command, const Options& options)
    : own_group_(options.own_group) {
  Plan plan;
  plan.reset_signals(options.own_group);
  if (!options.log.empty()) plan.write_to(options.log, options.errors);
  auto arguments = command;
  auto environment = environment_with(options.environment);
  const auto& name = command.front();
  const int error = ::posix_spawnp(&process_, name.c_str(), &plan.actions, &plan.attributes,
                                   pointers_to(arguments).data(), pointers_to(environment).data());
  if (error != 0) throw Error(name + ": cannot be started: " + std::strerror(error));
  if (own_group_) note_group(process_, true);
}

Subprocess::~Subprocess() {
  send(SIGKILL);
  wait();
  if (own_group_) note_group(process_, false);
}

void Subprocess::send(int signal) {
  if (!status_) ::kill(own_group_ ? -process_ : process_, signal);
}

std::optional<ExitStatus> Subprocess::poll() {
  int status = 0;
  if (!status_ && ::waitpid(process_, &status, WNOHANG) == process_) status_ = from_wait(status);
  return status_;
}

ExitStatus Subprocess::wait() {
  int status = 0;
  while (!status_) {
    const pid_t ended = ::waitpid(process_, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    status_ = from_wait(status);
  }
  return *status_;
}

ExitStatus Subprocess::wait(const std::function<void()>& check) {
  constexpr auto kInterval = std::chrono::milliseconds(20);
  while (!poll()) {
    check();
    std::this_thread::sleep_for(kInterval);
  }
  return *status_;
}

}  // namespace nmt
