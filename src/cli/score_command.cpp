#include <memory>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "evaluation/score_files.h"

namespace nmt {

void add_score_command(CLI::App& app, CommandCall& call) {
  auto request = std::make_shared<PairScoringRequest>();
  auto* command = app.add_subcommand(
      "score", "Print the natural-log probability of each target given its source");
  add_model_flags(*command, request->translator);
  command->add_option("-s,--source", request->source, "Source sentences, one per line")->required();
  command->add_option("-t,--target", request->target, "Translations of them, one per line")
      ->required();
  command->add_option("-o,--output", request->output, "File for the scores, one per line")
      ->capture_default_str();
  command->add_option("--batch-size", request->batch_size, "Sentences scored together")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  set_examples(*command, {"nmt score -m models/mine -s test.ko -t test.en",
                          "nmt score -m models/mine -s test.ko -t test.en -o scores.txt"});
  command->callback([request, &call] {
    require_one_standard_input({{"--source", request->source}, {"--target", request->target}});
    call.translators = {request->translator};
    call.run = [request] { score_pairs(*request); };
  });
}

}  // namespace nmt
