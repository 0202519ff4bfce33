#include <climits>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/program.h"
#include "distributed/launcher.h"
#include "errors/error.h"
#include "processes/program_file.h"

namespace nmt {
namespace {

constexpr int kMostProcesses = 4096;

}  // namespace

void add_launch_command(CLI::App& app) {
  auto request = std::make_shared<LaunchRequest>();
  auto* command = app.add_subcommand(
      "launch",
      "Run train as several processes of this machine that train one model: nmt launch --processes "
      "2 -- train …");
  command->add_option("-n,--processes", request->processes, "How many")
      ->required()
      ->check(CLI::Range(1, kMostProcesses));
  command
      ->add_option("--max-restarts", request->restarts,
                   "How often all are started again when one fails; training goes on from the "
                   "last saving [0]")
      ->check(CLI::Range(0, INT_MAX));
  command->add_option("command", request->command, "After --: train and its options")
      ->required()
      ->type_name("train …");
  command->callback([request] {
    const auto& started = request->command.front();
    if (started != "train" && started != "bench") {
      throw UsageError("launch: it starts 'train' or 'bench network', not '" + started +
                       "', which needs no other processes");
    }
    request->command.insert(request->command.begin(), program_file().string());
    const int code = launch(*request);
    if (code != 0) throw ProgramEnd{code};
  });
}

}  // namespace nmt
