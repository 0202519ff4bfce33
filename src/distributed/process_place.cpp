#include "distributed/process_place.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "errors/error.h"

namespace nmt {
namespace {

constexpr char kThisMachine[] = "127.0.0.1";
constexpr int kUsualPort = 29500;  // torchrun's
constexpr int kFirstJobPort = 20000;
constexpr int kJobPorts = 20000;

/// What a launcher calls the numbers.
struct Names {
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;
};

constexpr Names kTorchrun = {"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"};
constexpr Names kOpenMpi = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                            "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"};
// STEP, for SLURM_NTASKS is there in a batch script too, outside of srun.
constexpr Names kSlurm = {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""};

class Reader {
 public:
  explicit Reader(const Environment& environment) : environment_(environment) {}

  bool has(const char* name) const { return environment_(name).has_value(); }

  std::string text(const char* name, const std::string& otherwise) const {
    return environment_(name).value_or(otherwise);
  }

  int number(const char* name, int least, int most) const {
    const auto text = environment_(name);
    if (!text) {
      throw Error(std::string("the environment variable ") + name +
                  " is missing, which has to be set with the others of its launcher");
    }
    int value = 0;
    const char* end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data(), end, value);
    if (error == std::errc() && rest == end && value >= least && value <= most) return value;
    throw Error(std::string("the environment variable ") + name + " is '" + *text +
                "'; it has to be a number from " + std::to_string(least) + " to " +
                std::to_string(most));
  }

  int number(const char* name, int least, int most, int otherwise) const {
    return has(name) ? number(name, least, most) : otherwise;
  }

 private:
  const Environment& environment_;
};

constexpr int kMost = std::numeric_limits<int>::max();

ProcessPlace read_numbers(const Reader& reader, const Names& names) {
  ProcessPlace place;
  place.size = reader.number(names.size, 1, kMost);
  place.rank = reader.number(names.rank, 0, place.size - 1);
  place.local_rank = reader.number(names.local_rank, 0, kMost, 0);
  place.local_size = reader.number(names.local_size, 1, kMost, place.local_rank + 1);
  return place;
}

/// The first of "node[03-07,9],other".
std::string first_host(const std::string& list) {
  const auto end = list.find_first_of(",[");
  const auto prefix = list.substr(0, end);
  if (end == std::string::npos || list[end] == ',') return prefix;
  const auto number_end = list.find_first_of(",-]", end);
  return number_end == std::string::npos ? prefix
                                         : prefix + list.substr(end + 1, number_end - end - 1);
}

/// Slurm tells where the first task runs, and the jobs of a machine apart. How many tasks each
/// machine has it writes as "4(x2),3": the first number does, for all but the odd machine.
void meet_at_slurms(const Reader& reader, ProcessPlace& place) {
  const auto tasks = reader.text("SLURM_STEP_TASKS_PER_NODE", "");
  std::from_chars(tasks.data(), tasks.data() + tasks.size(), place.local_size);
  place.local_size = std::max(place.local_size, place.local_rank + 1);
  const auto hosts = reader.text("SLURM_STEP_NODELIST", reader.text("SLURM_JOB_NODELIST", ""));
  place.master_address = first_host(hosts);
  place.master_port = kFirstJobPort + reader.number("SLURM_JOB_ID", 0, kMost, 0) % kJobPorts;
}

void meet_at_masters(const Reader& reader, ProcessPlace& place) {
  place.master_address = reader.text("MASTER_ADDR", place.master_address);
  place.master_port = reader.number("MASTER_PORT", 1, 65535,
                                    place.master_port > 0 ? place.master_port : kUsualPort);
  if (!place.master_address.empty()) return;
  if (place.size > place.local_size) {
    throw Error(
        "the processes run on several machines; set MASTER_ADDR to the address of the one that "
        "process 0 runs on");
  }
  place.master_address = kThisMachine;
}

}  // namespace

ProcessPlace find_process_place(const Environment& environment) {
  const Reader reader(environment);
  ProcessPlace place;
  if (reader.has(kTorchrun.rank) || reader.has(kTorchrun.size)) {
    place = read_numbers(reader, kTorchrun);
    place.launcher_has_store = reader.text("TORCHELASTIC_USE_AGENT_STORE", "") == "True";
    place.attempt = reader.text("TORCHELASTIC_RESTART_COUNT", "");
  } else if (reader.has(kOpenMpi.rank)) {
    place = read_numbers(reader, kOpenMpi);
  } else if (reader.has(kSlurm.rank) && reader.has(kSlurm.size)) {
    place = read_numbers(reader, kSlurm);
    meet_at_slurms(reader, place);
  }
  if (place.size > 1) meet_at_masters(reader, place);
  return place;
}

ProcessPlace find_process_place() {
  return find_process_place([](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return {};
    return value;
  });
}

}  // namespace nmt
