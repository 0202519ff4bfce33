#include <iostream>
#include <memory>

#include "checkpoint/average.h"
#include "cli/commands.h"

namespace nmt {

void add_average_command(CLI::App& app) {
  auto request = std::make_shared<AverageRequest>();
  auto* command = app.add_subcommand(
      "average", "Make one model of several: every weight becomes the mean of theirs");
  command
      ->add_option("models", request->models,
                   "Folders or packed files of models; one folder alone: the checkpoints it keeps")
      ->required()
      ->type_name("MODEL");
  command->add_option("-o,--output", request->output, "Folder to make")->required();
  command->add_flag("--overwrite", request->overwrite, "Replace the model in that folder");
  command->callback([request] { std::cout << average_models(*request) << '\n'; });
}

}  // namespace nmt
