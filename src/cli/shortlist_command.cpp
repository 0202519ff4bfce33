#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/help.h"
#include "files/file.h"
#include "shortlist/make_shortlist.h"

namespace nmt {

void add_shortlist_command(CLI::App& app) {
  struct Arguments {
    ShortlistRequest request;
    std::vector<std::string> train_sets;
  };
  auto arguments = std::make_shared<Arguments>();
  auto& request = arguments->request;
  auto* command = app.add_subcommand(
      "shortlist", "Learn which target tokens may translate each source token, for --shortlist");
  command
      ->add_option("-m,--model-dir", request.model,
                   "Model directory or packed model whose vocabularies to use")
      ->required()
      ->type_name("MODEL");
  command
      ->add_option("-t,--train-sets", arguments->train_sets,
                   "Parallel corpus, best that of training: source and target; .gz too")
      ->required()
      ->expected(2)
      ->type_name("FILE");
  command->add_option("-o,--output", request.output,
                      "File to write; default: shortlist.safetensors in the model directory");
  command->add_flag("--overwrite", request.overwrite, "Replace an existing file");
  command->add_option("--best", request.best, "Translations of each source token")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command->add_option("--frequent", request.frequent, "Frequent tokens for every sentence")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  command->add_option("--max-pairs", request.max_pairs, "Pairs used, evenly spaced; 0 uses all")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command->add_option("--threads", request.threads, "CPU threads; 0 uses one per core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  set_examples(*command,
               {"nmt shortlist -m models/mine -t train.ko train.en",
                "nmt shortlist -m models/mine -t train.ko train.en --best 50 -o mine.safetensors"});
  command->callback([arguments] {
    arguments->request.source = arguments->train_sets[0];
    arguments->request.target = arguments->train_sets[1];
    require_not_input({arguments->request.output},
                      {arguments->request.source, arguments->request.target});
    std::cout << make_shortlist(arguments->request) << '\n';
  });
}

}  // namespace nmt
