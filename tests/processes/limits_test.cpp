#include "processes/limits.h"

#include <sched.h>
#include <sys/resource.h>

#include <string>

#include "support/catch.h"
#include "support/temporary_folder.h"
#include "threads/threads.h"

namespace nmt {
namespace {

/// A root folder with the files in it.
struct Root : TemporaryFolder {
  void put(const std::string& path, const std::string& text) const {
    const auto file = *this / path;
    std::filesystem::create_directories(file.parent_path());
    write(path, text);
  }
};

cpu_set_t affinity() {
  cpu_set_t set;
  REQUIRE(::sched_getaffinity(0, sizeof set, &set) == 0);
  return set;
}

}  // namespace

TEST_CASE("A process bound to one CPU gets one thread", "[processes]") {
  const auto before = affinity();
  cpu_set_t one;
  CPU_ZERO(&one);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &before)) ++cpu;
  CPU_SET(cpu, &one);
  REQUIRE(::sched_setaffinity(0, sizeof one, &one) == 0);
  const int cpus = usable_cpus();
  const int threads = number_of_threads(0);
  const int given = number_of_threads(3);
  ::sched_setaffinity(0, sizeof before, &before);
  CHECK(cpus == 1);
  CHECK(threads == 1);
  CHECK(given == 3);
}

TEST_CASE("The CPU quota of a control group counts, rounded up", "[processes]") {
  const auto before = affinity();
  if (CPU_COUNT(&before) < 2) SKIP("needs two CPUs");
  const Root root;
  CHECK(usable_cpus(root.path()) == CPU_COUNT(&before));
  root.put("proc/self/cgroup", "5:cpu,cpuacct:/docker/1\n0::/a/b\n");
  root.put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  root.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  CHECK(usable_cpus(root.path()) == CPU_COUNT(&before));
  SECTION("version 2, of the group above") {
    root.put("sys/fs/cgroup/a/cpu.max", "110000 100000\n");
    CHECK(usable_cpus(root.path()) == 2);
    root.put("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
    CHECK(usable_cpus(root.path()) == 1);
  }
  SECTION("version 1, of a container") {
    root.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "40000\n");
    root.put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "50000\n");
    CHECK(usable_cpus(root.path()) == 1);
  }
}

TEST_CASE("The least of the limits is the memory that can be had", "[processes]") {
  const Root root;
  root.put("proc/meminfo", "MemTotal:  9000000 kB\nMemAvailable:  800000 kB\nBuffers:  1 kB\n");
  CHECK(available_memory(root.path()) == 819200000);
  root.put("proc/self/cgroup", "4:memory:/x\n0::/y\n");
  root.put("sys/fs/cgroup/memory.max", "max\n");
  root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(available_memory(root.path()) == 819200000);
  root.put("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "700000000\n");
  CHECK(available_memory(root.path()) == 700000000);
  root.put("sys/fs/cgroup/y/memory.max", "600000000\n");
  CHECK(available_memory(root.path()) == 600000000);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  auto limit = before;
  limit.rlim_cur = 500000000;
  REQUIRE(::setrlimit(RLIMIT_AS, &limit) == 0);
  const auto limited = available_memory(root.path());
  ::setrlimit(RLIMIT_AS, &before);
  CHECK(limited == 500000000);
}

}  // namespace nmt
