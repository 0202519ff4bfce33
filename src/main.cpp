// nmt links everything except LibTorch, which takes half a second and over 100 MB to load. Whatever
// needs LibTorch it hands over to nmt-torch before anything is read or written.

#include <sys/resource.h>

#include "checkpoint/stored_model.h"
#include "cli/commands.h"
#include "cli/needs_torch.h"
#include "cli/program.h"
#include "errors/error.h"
#include "processes/subprocess.h"

namespace {

/// Below about 0.9 GB of address space, OpenBLAS tries forever to allocate its buffers, before
/// main().
void require_address_space(const std::string& command) {
  constexpr rlim_t kNeeded = rlim_t{1} << 30;
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur < kNeeded) {
    throw nmt::Error(command + ": needs an address space of 1 GiB or more; use ulimit -v " +
                     std::to_string(kNeeded >> 10) + " or higher, or unlimited");
  }
}

/// `program` takes the place of this one, if it is installed.
void hand_over(const std::string& command, const std::filesystem::path& program, char** argv,
               const char* remedy) {
  if (!std::filesystem::exists(program)) {
    throw nmt::Error(command + ": needs " + program.filename().string() +
                     ", which is not installed; " + remedy);
  }
  require_address_space(command);
  nmt::replace_process(program, argv);
}

}  // namespace

int main(int argc, char** argv) {
  const auto hand_over_where_needed = [&](const nmt::CommandCall& call) {
    const auto folder = [] { return nmt::program_file().parent_path(); };  // needs /proc
    if (call.name == "bench") {
      hand_over(call.name, folder() / "nmt-bench", argv + 1, "build the preset dev");
    }
    if (nmt::needs_torch(call, nmt::stored_model_config)) {
      hand_over(call.name, folder() / "../libexec/nmt/nmt-torch", argv,
                "install the package nmt-torch");
    }
  };
  return nmt::run_program(argc, argv, nmt::add_light_commands, hand_over_where_needed);
}
