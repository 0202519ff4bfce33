#include "processes/interrupt.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <mutex>
#include <thread>

#include "errors/exit_code.h"
#include "processes/subprocess.h"

namespace nmt {
namespace {

constexpr char kIgnoresHangups[] = "NMT_IGNORES_HANGUPS";

std::atomic<int> first_signal{0};
std::atomic<bool> catches_hangups{false};

/// The first signal asks to end, a later one ends the program at once. SIGHUP never does: a closing
/// terminal may send several, and a launcher SIGTERM after them. Signals within a second count as
/// one: timeout(1) signals its command, then their process group.
void await_signals(const sigset_t& signals) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kEcho(1);
  auto wished = Clock::time_point::max();
  int number = 0;
  do {
    ::sigwait(&signals, &number);
    if (first_signal == 0) first_signal = number;
    if (number != SIGHUP) wished = std::min(wished, Clock::now());
  } while (number == SIGHUP || Clock::now() - wished < kEcho);
  kill_process_groups();
  std::signal(number, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  std::raise(number);
  ::_exit(kSignalled + number);  // the first process of a container survives the signal
}

sigset_t set_of(std::initializer_list<int> numbers) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : numbers) sigaddset(&signals, number);
  return signals;
}

void catch_once(const sigset_t& signals) {
  static std::once_flag once;
  std::call_once(once, [&] {
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread(await_signals, signals).detach();
  });
}

}  // namespace

void catch_interrupts() { catch_once(set_of({SIGINT, SIGTERM})); }

void catch_interrupts_and_hangups() {
  if (ignores_hangups()) return catch_interrupts();
  catch_once(set_of({SIGINT, SIGTERM, SIGHUP}));
}

void stop_with_parent(int parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::kill(::getpid(), SIGTERM);  // raise() would ask this thread alone
}

int interrupting_signal() { return first_signal; }

bool ignores_hangups() {
  if (std::getenv(kIgnoresHangups) != nullptr) std::signal(SIGHUP, SIG_IGN);
  struct sigaction action {};
  return ::sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void hand_over_ignored_hangups() {
  if (ignores_hangups()) ::setenv(kIgnoresHangups, "1", 1);
}

void catch_hangups() {
  catches_hangups = true;
  const sigset_t signals = set_of({SIGHUP});
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

bool took_hangup() {
  if (!catches_hangups) return false;  // SIGHUP may belong to await_signals()
  const sigset_t signals = set_of({SIGHUP});
  const timespec at_once{};
  return ::sigtimedwait(&signals, nullptr, &at_once) == SIGHUP;
}

}  // namespace nmt
