#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "support/catch.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NMT_LIMITS_THREADS 0  // a sanitizer ends the program where it gets no memory
#else
#define NMT_LIMITS_THREADS 1
#endif

namespace nmt {

/// While it lives, the address space has room for the stacks of some more threads but not of
/// hundreds. Limits root as well, unlike a limit of processes.
class ThreadLimit {
 public:
  ThreadLimit() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    REQUIRE(::getrlimit(RLIMIT_AS, &before_) == 0);
    auto limit = before_;
    limit.rlim_cur = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + kRoom;
    REQUIRE(::setrlimit(RLIMIT_AS, &limit) == 0);
  }
  ~ThreadLimit() { ::setrlimit(RLIMIT_AS, &before_); }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  static constexpr rlim_t kRoom = rlim_t{256} << 20;
  rlimit before_{};
};

}  // namespace nmt
