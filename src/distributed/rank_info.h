#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace nmt {

/// The rank of this process among those that train one model together, and where they connect.
struct RankInfo {
  int rank = 0;  // from 0
  int size = 1;  // processes in all
  int local_rank = 0;
  int local_size = 1;  // on this machine
  std::string master_address;
  int master_port = 0;
  bool launcher_has_store = false;  // torchrun has opened the store at the master address itself
  // When nmt launch began. It starts failed processes again with the same command.
  std::optional<std::filesystem::file_time_type> launched;
};

/// The value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// The rank that a launcher has given to this process: torchrun (RANK, WORLD_SIZE, …), OpenMPI's
/// mpirun (OMPI_COMM_WORLD_…) or Slurm's srun (SLURM_…); a group of one without a launcher.
/// MASTER_ADDR and MASTER_PORT override what the launcher implies. Throws Error that names the
/// variable when one is missing, is not a number or contradicts the others.
RankInfo read_rank_info(const Environment& environment);

/// The same from this process's environment.
RankInfo read_rank_info();

}  // namespace nmt
