#pragma once

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <wordexp.h>

#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>

namespace nmt {

/// What nmt-torch does with these arguments; null where a test program does not link it. Loading
/// LibTorch takes half a second: whatever a test runs of it, a fork of the test does instead, which
/// has it loaded.
inline int (*torch_main)(int argc, char** argv) = nullptr;
inline bool (*is_torch_command)(const std::string& name) = nullptr;

/// A fork of a program with threads lacks them, and waits for them for ever.
inline bool has_one_thread() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return std::distance(begin(threads), end(threads)) == 1;
}

/// Does what a shell in the project's folder would with the line, in place of this process.
[[noreturn]] inline void become_command(const std::string& line, bool alone) {
  if (::chdir(NMT_SOURCE_DIR) != 0) ::_exit(126);
  wordexp_t words{};
  const bool plain = ::wordexp(line.c_str(), &words, WRDE_NOCMD | WRDE_UNDEF) == 0;
  if (plain && words.we_wordc > 1) {
    char** const arguments = words.we_wordv;
    const bool asks_help = words.we_wordc > 2 && arguments[1] == std::string("help");
    if (alone && torch_main != nullptr && arguments[0] == std::string(NMT_PROGRAM) &&
        is_torch_command(arguments[asks_help ? 2 : 1])) {
      for (int signal = 1; signal < NSIG; ++signal)
        ::signal(signal, SIG_DFL);  // Catch2 has its own
      const int code = torch_main(static_cast<int>(words.we_wordc), arguments);
      std::fflush(nullptr);
      ::_exit(code);
    }
    ::execvp(arguments[0], arguments);
  }
  ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
  ::_exit(127);
}

/// Starts the line as a shell would, in a child process; what it says is appended to the files. It
/// is killed after so many seconds, if any.
inline pid_t start_command(const std::string& line, const std::filesystem::path& output,
                           const std::filesystem::path& errors, unsigned max_seconds = 0) {
  const bool alone = has_one_thread();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND;
  ::dup2(::open(output.c_str(), kFlags, 0666), STDOUT_FILENO);
  ::dup2(::open(errors.c_str(), kFlags, 0666), STDERR_FILENO);
  ::alarm(max_seconds);
  become_command(line, alone);
}

}  // namespace nmt
