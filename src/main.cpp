// nmt links everything except LibTorch, which takes half a second and over 100 MB to load. Whatever
// needs LibTorch it hands over to nmt-torch before anything is read or written.

#include "checkpoint/stored_model.h"
#include "cli/commands.h"
#include "cli/needs_torch.h"
#include "cli/program.h"
#include "errors/error.h"
#include "processes/subprocess.h"

namespace {

/// `program` takes the place of this one, if it is installed.
void hand_over(const std::string& command, const std::filesystem::path& program, char** argv,
               const char* remedy) {
  if (!std::filesystem::exists(program)) {
    throw nmt::Error(command + ": needs " + program.filename().string() +
                     ", which is not installed; " + remedy);
  }
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
