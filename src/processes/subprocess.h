#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace nmt {

/// The file of the running program. Throws Error when /proc does not name it.
std::filesystem::path program_file();

/// Runs another program with these arguments in place of this one: returns only by throwing Error.
[[noreturn]] void replace_process(const std::filesystem::path& program, char* const* argv);

/// How a process ended: by itself with an exit code, or by a signal.
struct ExitStatus {
  int exit_code = 0;
  int signal = 0;  // 0: it exited

  /// As a shell reports it: 128 + the signal's number.
  int code() const;
};

/// Where the standard streams of a subprocess lead.
enum class Streams {
  kInherit,
  kToFile,  // no input; output and errors go to Options::log, or errors to Options::errors
};

/// Kills every running Subprocess with a process group of its own, and what these started: before
/// this program ends at once.
void kill_process_groups();

/// Another program, started without a shell, with default signal handling. Killed, if it still
/// runs, when this object goes.
class Subprocess {
 public:
  struct Options {
    Streams streams = Streams::kInherit;
    std::filesystem::path log = {};
    std::vector<std::string> environment =
        {};                  // NAME=VALUE; takes precedence over this process's own
    bool own_group = false;  // a terminal's Ctrl-C does not reach it; send() reaches what it starts
    std::filesystem::path errors = {};
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

  /// Calls `check` 50 times a second while it waits; passes on what that throws.
  ExitStatus wait(const std::function<void()>& check);

 private:
  bool own_group_;
  pid_t process_ = -1;
  std::optional<ExitStatus> status_;
};

}  // namespace nmt
