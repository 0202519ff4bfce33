#include "processes/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>

#include "processes/subprocess.h"

namespace nmt {
namespace {

std::atomic<int> first_signal{0};

/// Takes the first signal as a wish, the second as an order.
void await_signals(const sigset_t& signals) {
  int number = 0;
  ::sigwait(&signals, &number);
  first_signal = number;
  ::sigwait(&signals, &number);
  kill_process_groups();
  std::signal(number, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  ::kill(::getpid(), number);
}

sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

void catch_interrupts() {
  static std::once_flag once;
  std::call_once(once, [] {
    const sigset_t signals = ending_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread(await_signals, signals).detach();
  });
}

int interrupting_signal() { return first_signal; }

}  // namespace nmt
