#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace nmt {

/// Which of the processes that train one model together this one is, and where they meet.
struct ProcessPlace {
  int rank = 0;  // from 0
  int size = 1;  // processes in all
  int local_rank = 0;
  int local_size = 1;  // on this machine
  std::string master_address;
  int master_port = 0;
  bool launcher_has_store = false;  // torchrun has opened the meeting place itself
  std::string attempt;              // tells a start from the one before it, after a failure
};

/// The value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(const char* name)>;

/// The place that a launcher has given to this process: torchrun (RANK, WORLD_SIZE, …), OpenMPI's
/// mpirun (OMPI_COMM_WORLD_…) or Slurm's srun (SLURM_…); the only one of one where none has.
/// MASTER_ADDR and MASTER_PORT go before what the launcher implies. Throws Error that names the
/// variable when one is missing, or is not a number, or does not go with the others.
ProcessPlace find_process_place(const Environment& environment);

/// The same from this process's environment.
ProcessPlace find_process_place();

}  // namespace nmt
