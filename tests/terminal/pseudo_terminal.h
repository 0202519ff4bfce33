#pragma once

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <string>

#include "terminal/screen.h"

namespace nmt {

/// A shell command that runs on a terminal of its own, at which a test types and looks.
class PseudoTerminal {
 public:
  PseudoTerminal(const std::string& command, size_t columns, size_t rows) : screen_(columns, rows) {
    auto size = window();
    process_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (process_ == 0) {
      ::execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
      ::_exit(127);
    }
  }
  ~PseudoTerminal() {
    ::close(terminal_);
    if (!ended_) ::kill(process_, SIGKILL);
    wait();
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void type(const std::string& keys) const {
    if (::write(terminal_, keys.data(), keys.size()) < 0) throw std::runtime_error("cannot type");
  }

  /// True once the screen shows what is asked for; false after a minute, or when the program ends.
  bool shows(const std::function<bool(const Screen&)>& expected) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < end) {
      if (expected(screen_)) return true;
      if (!read()) return expected(screen_);
    }
    return false;
  }

  bool shows(const std::string& text) {
    return shows(
        [&](const Screen& screen) { return screen.text().find(text) != std::string::npos; });
  }

  void send(int signal) const { ::kill(process_, signal); }

  void resize(size_t columns, size_t rows) {
    screen_.resize(columns, rows);
    const auto size = window();
    ::ioctl(terminal_, TIOCSWINSZ, &size);
  }

  const Screen& screen() const { return screen_; }

  /// All that the program wrote, escape sequences too.
  const std::string& written() const { return written_; }

  /// Its exit status, or 128 + the signal that ended it.
  int wait() {
    if (!ended_) {
      const bool gone = !shows([](const Screen&) { return false; }) && !read();
      if (!gone) ::kill(process_, SIGKILL);
      ended_ = ::waitpid(process_, &status_, 0) == process_;
    }
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }

 private:
  winsize window() const {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(screen_.columns());
    size.ws_row = static_cast<unsigned short>(screen_.rows());
    return size;
  }

  /// Waits a while for more; false when the program has gone.
  bool read() {
    pollfd output{terminal_, POLLIN, 0};
    if (::poll(&output, 1, 100) == 0) return true;
    std::array<char, 4096> bytes{};
    const auto count = ::read(terminal_, bytes.data(), bytes.size());
    if (count <= 0) return false;
    const std::string more(bytes.data(), static_cast<size_t>(count));
    written_ += more;
    screen_.write(more);
    return true;
  }

  Screen screen_;
  int terminal_ = -1;
  pid_t process_ = -1;
  std::string written_;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace nmt
