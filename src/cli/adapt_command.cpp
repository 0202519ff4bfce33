#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/help.h"
#include "train/adapt.h"

namespace nmt {

void define_adapt_command(CLI::App& command) {
  auto request = std::make_shared<AdaptRequest>();
  command.add_option("-m,--model-dir", request->model, "Model directory or packed model")
      ->required()
      ->type_name("MODEL");
  command.add_option("-o,--output", request->output, "Model directory to write")
      ->type_name("DIR")
      ->required();
  command.add_flag("--overwrite", request->overwrite, "Replace the model in that directory");
  command.add_option("-s,--source", request->source, "Source sentences, one per line")->required();
  command.add_option("-t,--target", request->target, "Reference translations, one per line")
      ->required();
  command
      .add_option("--new-pieces", request->new_pieces,
                  "Maximum pieces added to each vocabulary for words that it splits")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  command
      .add_option("--steps", request->steps,
                  "Maximum number of steps; stops earlier once all are learned")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command.add_option("--learning-rate", request->learning_rate, "Adam's learning rate")
      ->capture_default_str()
      ->check(CLI::Range(1e-8, 1.0));
  command.add_option("--device", request->device, "Device: cpu, cuda or cuda:N")
      ->capture_default_str()
      ->type_name("DEVICE");
  command.add_option("--threads", request->threads, "CPU threads; 0 uses one per core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  set_examples(command,
               {"nmt adapt -m models/mine -s fixed.ko -t fixed.en -o models/adapted",
                "nmt adapt -m mine.nmt -s fixed.ko -t fixed.en -o models/adapted --steps 50"});
  command.callback([request] { std::cout << adapt_model(*request) << '\n'; });
}

}  // namespace nmt
