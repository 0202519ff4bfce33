#include "serve/rate_limiter.h"

#include "support/catch.h"

namespace nmt {
namespace {

using std::chrono::seconds;

RateLimiter::Clock::time_point at(int second) {
  return RateLimiter::Clock::time_point(seconds(1000 + second));
}

}  // namespace

TEST_CASE("A minute's requests may come at once and are regained evenly", "[serve]") {
  RateLimiter limiter;
  const RateLimits six = {6, 0};  // one in 10 s
  for (int i = 0; i < 6; ++i) REQUIRE(limiter.count("a", six, 0, at(0)) == seconds(0));
  REQUIRE(limiter.count("a", six, 0, at(0)) == seconds(10));
  REQUIRE(limiter.count("b", six, 0, at(0)) == seconds(0));  // another client
  REQUIRE(limiter.count("a", six, 0, at(7)) == seconds(3));  // those refused were not counted
  REQUIRE(limiter.count("a", six, 0, at(10)) == seconds(0));
  REQUIRE(limiter.count("a", six, 0, at(10)) == seconds(10));
  for (int i = 0; i < 6; ++i) REQUIRE(limiter.count("a", six, 0, at(1000)) == seconds(0));
  REQUIRE(limiter.count("a", six, 0, at(1000)) == seconds(10));
}

TEST_CASE("Characters have a limit of their own", "[serve]") {
  RateLimiter limiter;
  const RateLimits limits = {0, 120};  // 2 a second
  REQUIRE(limiter.count("a", limits, 100, at(0)) == seconds(0));
  REQUIRE(limiter.count("a", limits, 20, at(0)) == seconds(0));
  REQUIRE(limiter.count("a", limits, 120, at(0)) == seconds(60));
  REQUIRE(limiter.count("a", limits, 21, at(10)) == seconds(1));
  REQUIRE(limiter.count("a", limits, 20, at(10)) == seconds(0));
  REQUIRE(limiter.count("a", {0, 0}, 1000000, at(10)) == seconds(0));
}

TEST_CASE("What was sent without a limit, or under a higher one, locks nobody out", "[serve]") {
  RateLimiter limiter;
  for (int i = 0; i < 50; ++i) limiter.count("a", {0, 100}, 1, at(0));
  REQUIRE(limiter.count("a", {10, 100}, 1, at(0)) == seconds(0));  // a limit on requests is new
  REQUIRE(limiter.count("a", {10, 20}, 1, at(0)) == seconds(3));   // 51 characters count as 20
  REQUIRE(limiter.count("a", {10, 20}, 1, at(3)) == seconds(0));
}

TEST_CASE("The client heard of least recently is forgotten for a new one", "[serve]") {
  RateLimiter limiter(2);
  const RateLimits one = {1, 0};
  REQUIRE(limiter.count("a", one, 0, at(0)) == seconds(0));
  REQUIRE(limiter.count("b", one, 0, at(1)) == seconds(0));
  REQUIRE(limiter.count("a", one, 0, at(2)) == seconds(58));  // heard of again
  REQUIRE(limiter.count("c", one, 0, at(2)) == seconds(0));   // b is forgotten
  REQUIRE(limiter.count("a", one, 0, at(2)) == seconds(58));
  REQUIRE(limiter.count("b", one, 0, at(2)) == seconds(0));
}

}  // namespace nmt
