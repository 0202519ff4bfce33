#include "processes/interrupt.h"

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "support/catch.h"

namespace nmt {

TEST_CASE("A signal raises a flag, and no handler meets a computing thread", "[support]") {
  catch_interrupts();
  catch_interrupts();  // once is enough
  sigset_t blocked;
  REQUIRE(::pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0);
  REQUIRE(sigismember(&blocked, SIGINT) == 1);
  REQUIRE(sigismember(&blocked, SIGTERM) == 1);
  REQUIRE_FALSE(interrupted());
  // timeout(1) sends two. Of two kinds, neither is lost while the other is pending.
  ::kill(::getpid(), SIGTERM);
  ::kill(::getpid(), SIGINT);
  for (int i = 0; i < 500 && !interrupted(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  REQUIRE(interrupted());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the second does not end this
}

}  // namespace nmt
