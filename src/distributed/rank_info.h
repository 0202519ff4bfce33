#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace nmt {

/// The rank of this process among those that train one model together, and where they connect.
struct RankInfo {
  int rank = 0;  // from 0
  int size = 1;  // number of processes
  int local_rank = 0;
  int local_size = 1;  // on this machine
  std::string master_address;
  int master_port = 0;
  bool launcher_has_store = false;  // torchrun has opened the store at the master address itself
  // A folder of nmt launch through which its processes connect, so that no port is open to other
  // machines. Empty with other launchers: processes connect at the master address.
  std::filesystem::path launch_folder;
  // When nmt launch began; it restarts failed processes with the same command.
  std::optional<std::filesystem::file_time_type> launched;
  int launcher = 0;  // the process id of nmt launch, if it started this process
};

/// The value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// Reads the rank that a launcher has assigned to this process: torchrun (RANK, WORLD_SIZE, …),
/// OpenMPI's mpirun (OMPI_COMM_WORLD_…) or Slurm's srun (SLURM_…). Without a launcher, a group of
/// one. MASTER_ADDR and MASTER_PORT override the values of launchers other than nmt launch. Throws
/// Error that names the variable when one is missing, is not a number or contradicts the others.
RankInfo read_rank_info(const Environment& environment);

/// The same from this process's environment.
RankInfo read_rank_info();

}  // namespace nmt
