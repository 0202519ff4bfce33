#include "threads/thread_team.h"

#include <atomic>
#include <stdexcept>
#include <vector>

#include "support/expect_error.h"
#include "support/thread_limit.h"

namespace nmt {

TEST_CASE("Every member of a team does its part of every round", "[support]") {
  for (const int size : {1, 2, 5}) {
    ThreadTeam team(size);
    std::vector<int> rounds(static_cast<size_t>(size));
    for (int round = 0; round < 200; ++round) {
      team.run([&](int member) { ++rounds[static_cast<size_t>(member)]; });
      REQUIRE(rounds == std::vector<int>(static_cast<size_t>(size), round + 1));
    }
  }
}

TEST_CASE("What a member throws reaches the caller, and the team goes on", "[support]") {
  ThreadTeam team(3);
  std::atomic<int> done{0};
  REQUIRE_THROWS_AS(team.run([&](int member) {
    if (member == 2) throw std::runtime_error("broken");
    ++done;
  }),
                    std::runtime_error);
  REQUIRE(done == 2);
  team.run([&](int) { ++done; });
  REQUIRE(done == 5);
}

#if NMT_LIMITS_THREADS
TEST_CASE("A team that the system has too few threads for is an error", "[support]") {
  {
    const ThreadLimit limit;
    const auto error = error_of([] { ThreadTeam(1000); });
    REQUIRE(contains(error, "threads: cannot start another"));
  }
  std::atomic<int> done{0};
  ThreadTeam(3).run([&](int) { ++done; });
  REQUIRE(done == 3);
}
#endif

}  // namespace nmt
