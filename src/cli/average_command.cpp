#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/help.h"
#include "train/average.h"

namespace nmt {

void define_average_command(CLI::App& command) {
  auto request = std::make_shared<AverageRequest>();
  command
      .add_option("models", request->models,
                  "Model directories or packed models; a single directory: its best checkpoints")
      ->required()
      ->type_name("MODEL");
  command.add_flag("--last", request->last,
                   "Of a single directory: its latest checkpoints (--keep-last)");
  command.add_option("-o,--output", request->output, "Model directory to write")
      ->type_name("DIR")
      ->required();
  command.add_flag("--overwrite", request->overwrite, "Replace the model in that directory");
  set_examples(command, {"nmt average models/mine -o models/mean",
                         "nmt average models/seed-1 models/seed-2 -o models/mean"});
  command.callback([request] { std::cout << average_models(*request) << '\n'; });
}

}  // namespace nmt
