#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "train/adapt.h"

namespace nmt {

void add_adapt_command(CLI::App& app) {
  auto request = std::make_shared<AdaptRequest>();
  auto* command =
      app.add_subcommand("adapt", "Train a copy of a model on a few corrections, for some steps");
  command->add_option("-m,--model-dir", request->model, "Folder or packed file of the model")
      ->required()
      ->type_name("MODEL");
  command->add_option("-o,--output", request->output, "Folder to make")->required();
  command->add_flag("--overwrite", request->overwrite, "Replace the model in that directory");
  command->add_option("-s,--source", request->source, "Sentences, one a line")->required();
  command
      ->add_option("-t,--target", request->target,
                   "What their translations should be, line by line")
      ->required();
  command
      ->add_option("--steps", request->steps,
                   "Steps at most; fewer where all corrections are learned before")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command->add_option("--learning-rate", request->learning_rate, "Learning rate of Adam")
      ->capture_default_str()
      ->check(CLI::Range(1e-8, 1.0));
  command
      ->add_option("--threads", request->threads, "Threads to compute with; 0: one for each core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  command->callback([request] { std::cout << adapt_model(*request) << '\n'; });
}

}  // namespace nmt
