#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nmt {

/// The path of the running program. Throws Error if /proc does not provide it.
std::filesystem::path program_file();

/// Replaces this process by another program (execv). Throws Error if that fails; otherwise does not
/// return.
[[noreturn]] void replace_process(const std::filesystem::path& program, char* const* argv);

/// How a process ended: by itself with an exit code, or by a signal.
struct ExitStatus {
  int exit_code = 0;
  int signal = 0;  // 0: it exited

  /// As a shell reports it: 128 + the signal's number.
  int code() const;
};

/// Kills every running Subprocess with a process group of its own, including its children. For use
/// just before this program ends abruptly.
void kill_process_groups();

/// Another program, started without a shell and with default signal handling. The destructor kills
/// it if it still runs.
class Subprocess {
 public:
  struct Options {
    std::filesystem::path log = {};  // for output, without input; empty: all streams are inherited
    std::vector<std::string> environment = {};  // NAME=VALUE; overrides this process's own
    bool own_group = false;  // not reached by a terminal's Ctrl-C; send() also reaches its children
    std::filesystem::path errors = {};  // with a log; empty: they go there too
  };

  /// `command` is the program, looked up in PATH unless it has a slash, and its arguments. Throws
  /// Error when it cannot be started.
  Subprocess(const std::vector<std::string>& command, const Options& options);
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  void send(int signal);

  /// The exit status, or nullopt while the program runs.
  std::optional<ExitStatus> poll();
  ExitStatus wait();

  /// Calls `check` 50 times a second while waiting; an exception from it is passed on.
  ExitStatus wait(const std::function<void()>& check);

 private:
  bool own_group_;
  pid_t process_ = -1;
  std::optional<ExitStatus> status_;
};

}  // namespace nmt
