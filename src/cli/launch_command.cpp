#include <CLI/CLI.hpp>
#include <climits>
#include <memory>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/program.h"
#include "distributed/launcher.h"
#include "errors/error.h"
#include "processes/subprocess.h"

namespace nmt {

void define_launch_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<LaunchRequest>();
  command.add_option("-n,--processes", request->processes, "Number of processes")
      ->required()
      ->check(CLI::Range(1, 4096));
  add_with_default(
      command, "--max-restarts", request->restarts,
      "Restarts of all processes after one fails; training resumes from its last state")
      ->check(CLI::Range(0, INT_MAX));
  command.add_option("command", request->command, "train and its options, after --")
      ->required()
      ->type_name("");
  set_examples(
      command,
      {"nmt launch -n 2 -- train -c configs/sample.yaml -m models/mine",
       "nmt launch -n 8 -- train --train-sets a.de a.en --valid-sets v.de v.en -m models/mine"});
  command.callback([request] {
    const auto& started = request->command.front();
    if (started != "train" && started != "bench") {
      throw UsageError("launch: '" + started + "' does not run as several processes; use 'train'");
    }
    request->command.insert(request->command.begin(), program_file().string());
    const int code = launch(*request);
    if (code != 0) throw ProgramEnd{code};
  });
}

}  // namespace nmt
