#include "processes/hangup.h"

#include <csignal>
#include <ctime>

namespace nmt {
namespace {

sigset_t hangup_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGHUP);
  return signals;
}

}  // namespace

void catch_hangups() {
  const sigset_t signals = hangup_signal();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

bool took_hangup() {
  const sigset_t signals = hangup_signal();
  const timespec at_once{};
  return ::sigtimedwait(&signals, nullptr, &at_once) == SIGHUP;
}

}  // namespace nmt
