#include "processes/memory_reserve.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "support/catch.h"

namespace nmt {
namespace {

constexpr size_t kBlock = 8 << 20;  // bytes

/// In a process of its own, whose memory may grow by 256 MiB: 0, or which expectation failed.
int exhaust_memory() {
  const rlimit limit{size_t{1} << 30, size_t{1} << 30};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return 1;
  keep_memory_reserve();
  if (!has_memory_reserve()) return 2;
  std::vector<std::unique_ptr<char[]>> blocks;
  blocks.reserve(1000);
  size_t with_reserve = 0;
  try {
    for (;;) {
      const bool had_reserve = has_memory_reserve();
      blocks.emplace_back(new char[kBlock]);
      if (had_reserve) with_reserve = blocks.size();
    }
  } catch (const std::bad_alloc&) {
  }
  // The block that did not fit got its memory from the reserve, and so did some more.
  if (blocks.size() < with_reserve + 4) return 3;
  if (has_memory_reserve()) return 4;
  blocks.clear();
  return has_memory_reserve() ? 0 : 5;
}

}  // namespace

TEST_CASE("A reserve of memory serves what is in progress when memory runs out", "[processes]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SKIP("sanitizers need more address space than the test allows");
#else
  const auto child = ::fork();
  if (child == 0) ::_exit(exhaust_memory());
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
#endif
}

}  // namespace nmt
