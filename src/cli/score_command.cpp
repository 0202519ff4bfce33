#include <memory>
#include <string>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "errors/error.h"
#include "evaluation/rescore.h"
#include "evaluation/score_files.h"
#include "files/file.h"

namespace nmt {
namespace {

/// A CLI11 check of a Moses feature name: letters, digits and _.
std::string check_feature_name(const std::string& name) {
  const bool plain = !name.empty() && name.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_") == std::string::npos;
  return plain ? "" : "use letters, digits and _";
}

void add_rescoring_flags(CLI::App& command, RescoringRequest& request, CLI::Option* list) {
  add_with_default(command, "--feature", request.feature,
                   "With --n-best: name of the new log-probability")
      ->check(check_feature_name)
      ->type_name("NAME")
      ->needs(list);
  add_with_default(
      command, "--weight", request.weight,
      "With --n-best: weight of the new score in the ranking; the old one has the rest")
      ->check(check_in({0, 1}))
      ->needs(list);
}

}  // namespace

void define_score_command(CLI::App& command, CommandCall& call) {
  auto arguments = std::make_shared<RescoringRequest>();
  auto& request = arguments->pairs;
  add_model_flags(command, request.translator);
  add_ensemble_flags(command, request.translator);
  add_language_model_flags(command, request.translator);
  command.add_option("-s,--source", request.source, "Source sentences, one per line")->required();
  auto* target =
      command.add_option("-t,--target", request.target, "Their translations, one per line");
  auto* list = command.add_option("--n-best", arguments->list,
                                  "N-best lists of nmt translate or Moses to rescore and rerank");
  list->excludes(target);
  add_with_default(command, "-o,--output", request.output, "File for the scores, one per line");
  command
      .add_flag("--words", request.words, "Write the log-probability of each word and of the end")
      ->needs(target);
  command
      .add_flag("--json", request.json,
                "Write a JSON object per pair: tokens, words, scores, alignment")
      ->excludes("--words")
      ->needs(target);
  command
      .add_option("--alignments", request.alignments,
                  "File for word alignments: source-target pairs (0-0 1-2) per line")
      ->needs(target);
  add_rescoring_flags(command, *arguments, list);
  command.get_option("--lm")->needs(list);
  add_batch_size(command, request.batch_size, "Sentences scored together");
  set_examples(command, {"nmt score -m models/mine -s test.ko -t test.en",
                         "nmt score -m models/mine -s test.ko -t test.en --words",
                         "nmt score -m models/other -s test.ko --n-best test.nbest --weight 0.5"});
  command.callback([arguments, &request, &call] {
    const auto& list_file = arguments->list;
    if (request.target.empty() && list_file.empty()) {
      throw UsageError("score: nothing to score; use --target or --n-best");
    }
    require_one_standard_input(
        {{"--source", request.source}, {"--target", request.target}, {"--n-best", list_file}});
    require_two_outputs(request.output, request.alignments);
    require_not_input(
        {request.output, request.alignments},
        {request.source, request.target, list_file, request.translator.language_model});
    require_not_model({request.output, request.alignments}, request.translator.model_dirs);
    call.translators = {request.translator};
    call.run = [arguments] {
      arguments->list.empty() ? score_pairs(arguments->pairs) : rescore_n_best(*arguments);
    };
  });
}

}  // namespace nmt
