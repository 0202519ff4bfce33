#include "processes/limits.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace nmt {
namespace fs = std::filesystem;
namespace {

/// The folders of this process's control groups, of both versions, and of all above them. In a
/// container only the topmost may exist.
std::vector<fs::path> control_groups(const fs::path& root) {
  std::vector<fs::path> groups;
  std::ifstream lines(root / "proc/self/cgroup");  // NUMBER:CONTROLLERS:PATH, the 2nd: none
  for (std::string line; std::getline(lines, line);) {
    const auto controllers = line.find(':') + 1;
    const auto end = line.find(':', controllers);
    if (end == std::string::npos) continue;
    const auto top = root / "sys/fs/cgroup" / line.substr(controllers, end - controllers);
    auto path = fs::path(line.substr(end + 1)).relative_path();
    for (; !path.empty(); path = path.parent_path()) groups.push_back(top / path);
    groups.push_back(top);
  }
  return groups;
}

/// The number at the beginning of a file; `otherwise` where there is none.
double read_number(const fs::path& file, double otherwise) {
  double number = 0;
  return std::ifstream(file) >> number ? number : otherwise;
}

double cpu_quota(const fs::path& group) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  double time = 0;
  double period = 0;
  if (std::ifstream(group / "cpu.max") >> time >> period) return time / period;
  time = read_number(group / "cpu.cfs_quota_us", -1);
  return time > 0 ? time / read_number(group / "cpu.cfs_period_us", time) : kNone;
}

}  // namespace

int usable_cpus(const fs::path& root) {
  auto cpus = static_cast<double>(std::max(1U, std::thread::hardware_concurrency()));
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) cpus = CPU_COUNT(&set);
  for (const auto& group : control_groups(root)) cpus = std::min(cpus, cpu_quota(group));
  return std::max(1, static_cast<int>(std::ceil(cpus)));
}

uint64_t available_memory(const fs::path& root) {
  constexpr double kNone = 1e18;
  double bytes = kNone;
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0) bytes = std::min(bytes, double(space.rlim_cur));
  std::ifstream lines(root / "proc/meminfo");
  for (std::string name; lines >> name; std::getline(lines, name)) {
    double kilobytes = 0;
    if (name == "MemAvailable:" && lines >> kilobytes) bytes = std::min(bytes, 1024 * kilobytes);
  }
  for (const auto& group : control_groups(root)) {
    for (const auto* file : {"memory.max", "memory.limit_in_bytes"}) {
      bytes = std::min(bytes, read_number(group / file, kNone));
    }
  }
  return static_cast<uint64_t>(bytes);
}

}  // namespace nmt
