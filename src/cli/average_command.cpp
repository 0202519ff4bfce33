#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "train/average.h"

namespace nmt {

void define_average_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<AverageRequest>();
  command
      .add_option("models", request->models,
                  "Models of one run or one ancestor; for a single directory, its best checkpoints")
      ->required()
      ->type_name("MODEL");
  command.add_flag(
      "--last", request->last,
      "Average the latest checkpoints (--keep-last) of a single directory, not the best");
  add_output_model(command, request->output, request->overwrite);
  set_examples(command, {"nmt average models/mine -o models/mean",
                         "nmt average models/mine --last -o models/mean"});
  command.callback([request] { std::cout << average_models(*request) << '\n'; });
}

}  // namespace nmt
