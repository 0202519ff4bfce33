#include "distributed/rank_info.h"

#include <map>
#include <string>

#include "support/catch.h"
#include "support/expect_error.h"

namespace nmt {
namespace {

using Variables = std::map<std::string, std::string>;

RankInfo rank_in(const Variables& variables) {
  return read_rank_info([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return {};
    return found->second;
  });
}

const Variables kTorchrun = {{"RANK", "5"},
                             {"WORLD_SIZE", "8"},
                             {"LOCAL_RANK", "1"},
                             {"LOCAL_WORLD_SIZE", "4"},
                             {"MASTER_ADDR", "10.0.0.7"},
                             {"MASTER_PORT", "29777"}};

Variables with(Variables variables, const std::string& name, const std::string& value) {
  variables[name] = value;
  return variables;
}

TEST_CASE("Without a launcher a process is the only one") {
  const auto info = rank_in({});
  CHECK(info.rank == 0);
  CHECK(info.size == 1);
}

TEST_CASE("nmt launch says when it began") {
  const auto launched = rank_in(with(kTorchrun, "NMT_LAUNCHED", "-5")).launched;
  REQUIRE(launched.has_value());
  CHECK(launched->time_since_epoch().count() == -5);
  CHECK_FALSE(rank_in(kTorchrun).launched.has_value());
}

TEST_CASE("nmt launch says which process it is; torchrun inside of it is another launcher") {
  const auto launched = with(kTorchrun, "NMT_LAUNCHER", "77");
  CHECK(rank_in(launched).launcher == 77);
  CHECK(rank_in(kTorchrun).launcher == 0);
  CHECK(rank_in(with(launched, "TORCHELASTIC_USE_AGENT_STORE", "True")).launcher == 0);
}

TEST_CASE("What nmt launch starts meets in its folder, whatever address the environment names") {
  const auto info = rank_in(with(kTorchrun, "NMT_LAUNCH_FOLDER", "/tmp/nmt-x"));
  CHECK(info.launch_folder == "/tmp/nmt-x");
  CHECK(info.master_address == "127.0.0.1");
  CHECK(rank_in(kTorchrun).launch_folder.empty());
  const auto torchrun_inside = with(with(kTorchrun, "NMT_LAUNCH_FOLDER", "/tmp/nmt-x"),
                                    "TORCHELASTIC_USE_AGENT_STORE", "True");
  CHECK(rank_in(torchrun_inside).launch_folder.empty());
}

TEST_CASE("torchrun's variables give the info and where to meet") {
  const auto info = rank_in(kTorchrun);
  CHECK(info.rank == 5);
  CHECK(info.size == 8);
  CHECK(info.local_rank == 1);
  CHECK(info.local_size == 4);
  CHECK(info.master_address == "10.0.0.7");
  CHECK(info.master_port == 29777);
  CHECK(!info.launcher_has_store);
}

TEST_CASE("A store that torchrun has opened itself is used") {
  CHECK(rank_in(with(kTorchrun, "TORCHELASTIC_USE_AGENT_STORE", "True")).launcher_has_store);
}

TEST_CASE("mpirun's variables do on one machine, and need an address on several") {
  const Variables mpirun = {{"OMPI_COMM_WORLD_RANK", "1"},
                            {"OMPI_COMM_WORLD_SIZE", "2"},
                            {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                            {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  CHECK(rank_in(mpirun).rank == 1);
  CHECK(rank_in(mpirun).master_address == "127.0.0.1");
  const auto several =
      with(with(mpirun, "OMPI_COMM_WORLD_LOCAL_SIZE", "1"), "OMPI_COMM_WORLD_LOCAL_RANK", "0");
  CHECK_THAT(error_of([&] { rank_in(several); }),
             Catch::Matchers::ContainsSubstring("MASTER_ADDR"));
  CHECK(rank_in(with(several, "MASTER_ADDR", "node1")).master_address == "node1");
}

TEST_CASE("srun's variables say which machine is the first and tell jobs apart") {
  Variables srun = {{"SLURM_PROCID", "3"},     {"SLURM_STEP_NUM_TASKS", "4"},
                    {"SLURM_LOCALID", "1"},    {"SLURM_STEP_TASKS_PER_NODE", "2(x2)"},
                    {"SLURM_JOB_ID", "41234"}, {"SLURM_STEP_NODELIST", "gpu[07-08,12]"}};
  auto info = rank_in(srun);
  CHECK(info.rank == 3);
  CHECK(info.local_size == 2);
  CHECK(info.master_address == "gpu07");
  CHECK(info.master_port == 20000 + 1234);
  srun["SLURM_STEP_NODELIST"] = "alpha,beta";
  CHECK(rank_in(srun).master_address == "alpha");
  srun["SLURM_STEP_NODELIST"] = "alone";
  CHECK(rank_in(srun).master_address == "alone");
}

TEST_CASE("A batch script of Slurm, which srun has not started, is one process") {
  CHECK(rank_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}).size == 1);
}

TEST_CASE("What is missing or wrong in the environment is named") {
  const auto message = [](const Variables& variables) {
    return error_of([&] { rank_in(variables); });
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THAT(message({{"RANK", "0"}}),
             ContainsSubstring("WORLD_SIZE") && ContainsSubstring("missing"));
  CHECK_THAT(message({{"WORLD_SIZE", "2"}}),
             ContainsSubstring("RANK") && ContainsSubstring("missing"));
  CHECK_THAT(message(with(kTorchrun, "RANK", "8")),
             ContainsSubstring("RANK") && ContainsSubstring("0 to 7"));
  CHECK_THAT(message(with(kTorchrun, "RANK", "one")), ContainsSubstring("'one'"));
  CHECK_THAT(message(with(kTorchrun, "WORLD_SIZE", "-2")), ContainsSubstring("'-2'"));
  CHECK_THAT(message(with(kTorchrun, "MASTER_PORT", "70000")), ContainsSubstring("1 to 65535"));
}

}  // namespace
}  // namespace nmt
