#include "terminal/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "errors/error.h"
#include "errors/log.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

// Short, to notice a resized window without handling SIGWINCH, which a computing thread could get.
constexpr int kTimeoutMs = 200;

winsize window() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) size = {};
  if (size.ws_col == 0) size.ws_col = 80;
  if (size.ws_row == 0) size.ws_row = 24;
  return size;
}

}  // namespace

bool SystemTerminal::is_there() {
  return ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1 && supports_escape_sequences();
}

SystemTerminal::SystemTerminal() {
  ::tcgetattr(STDIN_FILENO, &found_);
  termios raw = found_;
  raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | IXON | ISTRIP | INLCR);
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);  // keeps what was typed before
}

SystemTerminal::~SystemTerminal() { ::tcsetattr(STDIN_FILENO, TCSADRAIN, &found_); }

std::optional<std::string> SystemTerminal::read(bool waits) {
  if (interrupted() || took_hangup()) return std::nullopt;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  if (::poll(&input, 1, waits ? kTimeoutMs : 0) <= 0) return "";
  std::array<char, 4096> bytes{};
  const auto count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return "";
  if (count <= 0) return std::nullopt;
  return std::string(bytes.data(), static_cast<size_t>(count));
}

void SystemTerminal::write(std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno != EINTR) throw Error("terminal: closed");
    if (count > 0) text.remove_prefix(static_cast<size_t>(count));
  }
}

size_t SystemTerminal::columns() const { return window().ws_col; }

size_t SystemTerminal::rows() const { return window().ws_row; }

bool SystemTerminal::colors() const { return may_show_colors(); }

}  // namespace nmt
