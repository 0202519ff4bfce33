#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "files/file.h"
#include "shortlist/make_shortlist.h"

namespace nmt {

void define_shortlist_command(CLI::App& command, CommandCall& /*call*/) {
  struct Arguments {
    ShortlistRequest request;
    std::vector<std::string> train_sets;
  };
  auto arguments = std::make_shared<Arguments>();
  auto& request = arguments->request;
  add_model(command, request.model, "Model directory or packed model whose vocabularies to use")
      ->required();
  command
      .add_option("-t,--train-sets", arguments->train_sets,
                  "Parallel corpus, ideally the training text: source and target; .gz too")
      ->required()
      ->expected(2)
      ->type_name("FILE");
  command.add_option("-o,--output", request.output,
                     "File to write [shortlist.safetensors in the model directory]");
  command.add_flag("--overwrite", request.overwrite, "Replace an existing file");
  add_with_default(command, "--best", request.best, "Candidate translations of each source token")
      ->check(CLI::Range(1, 100000));
  add_with_default(command, "--frequent", request.frequent,
                   "Most frequent target tokens, added for every sentence")
      ->check(CLI::Range(0, 100000));
  add_with_default(command, "--max-pairs", request.max_pairs,
                   "Pairs used, evenly spaced; 0 uses all")
      ->check(CLI::NonNegativeNumber);
  add_threads(command, request.threads);
  set_examples(command,
               {"nmt shortlist -m models/mine -t train.ko train.en",
                "nmt shortlist -m models/mine -t train.ko train.en --best 50 -o mine.safetensors"});
  command.callback([arguments] {
    arguments->request.source = arguments->train_sets[0];
    arguments->request.target = arguments->train_sets[1];
    require_not_input({arguments->request.output},
                      {arguments->request.source, arguments->request.target});
    require_not_model({arguments->request.output}, {arguments->request.model});
    std::cout << make_shortlist(arguments->request) << '\n';
  });
}

}  // namespace nmt
