#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "errors/error.h"
#include "train/adapt.h"

namespace nmt {

void define_adapt_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<AdaptRequest>();
  add_model(command, request->model)->required();
  add_output_model(command, request->output, request->overwrite);
  command
      .add_option("-s,--source", request->source,
                  "Source sentences, one per line, or a .jsonl file of serve --suggestions")
      ->required();
  command.add_option("-t,--target", request->target, "Reference translations, one per line");
  add_with_default(command, "--new-pieces", request->new_pieces,
                   "Maximum pieces added per vocabulary for words that it splits or cannot spell")
      ->check(CLI::Range(0, 100000));
  add_with_default(command, "--steps", request->steps,
                   "Maximum number of steps; stops earlier once all are learned")
      ->check(CLI::Range(1, 100000));
  add_with_default(command, "--learning-rate", request->learning_rate, "Adam's learning rate")
      ->check(check_in({0, 1, /*above=*/true}));
  add_device(command, request->device);
  add_threads(command, request->threads);
  set_examples(command,
               {"nmt adapt -m models/mine -s fixed.ko -t fixed.en -o models/adapted",
                "nmt adapt -m mine.nmt -s fixed.ko -t fixed.en -o models/adapted --steps 50"});
  command.callback([request] {
    if (request->target.empty() && request->source.extension() != ".jsonl") {
      throw UsageError("adapt: --target is missing; only a .jsonl file of suggestions needs none");
    }
    std::cout << adapt_model(*request) << '\n';
  });
}

}  // namespace nmt
