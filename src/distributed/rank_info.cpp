#include "distributed/rank_info.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "errors/error.h"
#include "numbers/parse.h"

namespace nmt {
namespace {

constexpr char kThisMachine[] = "127.0.0.1";
constexpr int kDefaultPort = 29500;  // torchrun's
constexpr int kFirstJobPort = 20000;
constexpr int kJobPorts = 20000;

/// The environment variables in which a launcher passes each number.
struct Names {
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;
};

constexpr Names kTorchrun = {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"};
constexpr Names kOpenMpi = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                            "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"};
// STEP, because SLURM_NTASKS is also set in a batch script, outside of srun.
constexpr Names kSlurm = {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""};

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  bool has(const char* name) const { return environment_(name).has_value(); }

  std::string text(const char* name, const std::string& fallback) const {
    return environment_(name).value_or(fallback);
  }

  int number(const char* name, int least, int most) const {
    const auto text = environment_(name);
    if (!text) {
      throw Error(std::string("the environment variable ") + name +
                  " is missing; set it together with the launcher's other variables");
    }
    const auto value = parse_number<int>(*text);
    if (value && *value >= least && *value <= most) return *value;
    throw Error(std::string("the environment variable ") + name + " is '" + *text +
                "'; set it to a number from " + std::to_string(least) + " to " +
                std::to_string(most));
  }

  int number(const char* name, int least, int most, int fallback) const {
    return has(name) ? number(name, least, most) : fallback;
  }

 private:
  const Environment& environment_;
};

constexpr int kMax = std::numeric_limits<int>::max();

RankInfo read_numbers(const Reader& reader, const Names& names) {
  RankInfo info;
  info.size = reader.number(names.size, 1, kMax);
  info.rank = reader.number(names.rank, 0, info.size - 1);
  info.local_rank = reader.number(names.local_rank, 0, kMax, 0);
  info.local_size = reader.number(names.local_size, 1, kMax, info.local_rank + 1);
  return info;
}

/// The first of "node[03-07,9],other".
std::string first_host(const std::string& list) {
  const auto end = list.find_first_of(",[");
  auto prefix = list.substr(0, end);
  if (end == std::string::npos || list[end] == ',') return prefix;
  const auto number_end = list.find_first_of(",-]", end);
  return number_end == std::string::npos ? prefix
                                         : prefix + list.substr(end + 1, number_end - end - 1);
}

/// Slurm says where the first task runs, and its job number keeps the jobs of a machine apart. It
/// writes the tasks of each machine as "4(x2),3"; the first number suffices for all but odd
/// machines.
void set_slurm_master(const Reader& reader, RankInfo& info) {
  const auto tasks = reader.text("SLURM_STEP_TASKS_PER_NODE", "");
  std::from_chars(tasks.data(), tasks.data() + tasks.size(), info.local_size);
  info.local_size = std::max(info.local_size, info.local_rank + 1);
  const auto hosts = reader.text("SLURM_STEP_NODELIST", reader.text("SLURM_JOB_NODELIST", ""));
  info.master_address = first_host(hosts);
  info.master_port = kFirstJobPort + reader.number("SLURM_JOB_ID", 0, kMax, 0) % kJobPorts;
}

void set_master(const Reader& reader, RankInfo& info) {
  if (!info.launch_folder.empty()) {
    info.master_address = kThisMachine;
    return;
  }
  info.master_address = reader.text("MASTER_ADDR", info.master_address);
  info.master_port = reader.number("MASTER_PORT", 1, 65535,
                                   info.master_port > 0 ? info.master_port : kDefaultPort);
  if (!info.master_address.empty()) return;
  if (info.size > info.local_size) {
    throw Error(
        "MASTER_ADDR: not set, and the processes run on several machines; set it to the address of "
        "process 0's machine");
  }
  info.master_address = kThisMachine;
}

}  // namespace

RankInfo read_rank_info(const Environment& environment) {
  const Reader reader(environment);
  RankInfo info;
  if (reader.has(kTorchrun.rank) || reader.has(kTorchrun.size)) {
    info = read_numbers(reader, kTorchrun);
    info.launcher_has_store = reader.text("TORCHELASTIC_USE_AGENT_STORE", "") == "True";
    using Time = std::filesystem::file_time_type;
    const auto launched = parse_number<Time::rep>(reader.text("NMT_LAUNCHED", ""));
    if (launched) info.launched = Time(Time::duration(*launched));
    // torchrun inside of nmt launch inherits both.
    if (!info.launcher_has_store) {
      info.launch_folder = reader.text("NMT_LAUNCH_FOLDER", "");
      info.launcher = parse_number<int>(reader.text("NMT_LAUNCHER", "")).value_or(0);
    }
  } else if (reader.has(kOpenMpi.rank)) {
    info = read_numbers(reader, kOpenMpi);
  } else if (reader.has(kSlurm.rank) && reader.has(kSlurm.size)) {
    info = read_numbers(reader, kSlurm);
    set_slurm_master(reader, info);
  }
  if (info.size > 1) set_master(reader, info);
  return info;
}

RankInfo read_rank_info() {
  return read_rank_info([](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return {};
    return value;
  });
}

}  // namespace nmt
