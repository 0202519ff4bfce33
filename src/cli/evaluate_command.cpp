#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "config/choice.h"
#include "errors/error.h"
#include "evaluation/evaluate_test_set.h"
#include "evaluation/piece_tokenizer.h"
#include "files/file.h"

namespace nmt {
namespace {

struct EvaluateArguments {
  EvaluationRequest request;
  std::string tokenizer = choice_name(BleuTokenizer::k13a);
  bool lowercase = false;
  bool json = false;
};

void run(EvaluateArguments& arguments) {
  auto& request = arguments.request;
  auto& options = request.options;
  require_valid(request.translation);
  options.bleu.lowercase = options.chrf.lowercase = arguments.lowercase;
  if (const auto known = parse_choice<BleuTokenizer>(arguments.tokenizer)) {
    options.bleu.tokenizer = *known;
  } else {
    options.bleu.other_tokenizer = piece_tokenizer(arguments.tokenizer);
  }
  std::vector<std::pair<std::string, std::filesystem::path>> inputs = {
      {"--hypothesis", request.hypothesis}, {"--source", request.source}};
  for (const auto& reference : request.references) inputs.emplace_back("--reference", reference);
  require_one_standard_input(inputs);
  const auto report = evaluate_test_set(request);
  std::cout << (arguments.json ? to_json(report, options) : to_text(report, options));
}

/// Options of metrics that are not computed.
void refuse_idle_metric_flags(const CLI::App& command, const std::vector<std::string>& metrics) {
  static const std::pair<const char*, std::vector<std::string>> uses[] = {
      {"--tokenize", {"bleu"}},
      {"--smoothing", {"bleu"}},
      {"--chrf-word-order", {"chrf"}},
      {"--lowercase", {"bleu", "chrf"}},
      {"--ter-case-sensitive", {"ter"}}};
  for (const auto& [option, users] : uses) {
    if (std::find_first_of(users.begin(), users.end(), metrics.begin(), metrics.end()) ==
        users.end()) {
      refuse_option(command, option,
                    "has no effect without --metrics " + list_of(users) + "; omit it");
    }
  }
}

void add_metric_flags(CLI::App& command, EvaluateArguments& arguments) {
  auto& options = arguments.request.options;
  add_with_default(command, "--metrics", options.metrics, "Metrics to compute: bleu chrf ter")
      ->check(CLI::IsMember({"bleu", "chrf", "ter"}));
  const auto tokenizers = choice_names<BleuTokenizer>();
  add_with_default(command, "--tokenize", arguments.tokenizer,
                   "Tokenizer of BLEU, or a SentencePiece model's file: " + list_of(tokenizers))
      ->check([tokenizers](const std::string& name) {
        if (parse_choice<BleuTokenizer>(name) || std::filesystem::exists(name))
          return std::string();
        const bool is_file = name.find_first_of("/.") != std::string::npos;
        return is_file ? name + ": no such file" : unknown_choice(name, tokenizers);
      })
      ->type_name(choice_type("NAME", tokenizers));
  add_choice(command, "--smoothing", options.bleu.smoothing, "Smoothing of BLEU");
  add_with_default(command, "--chrf-word-order", options.chrf.word_order,
                   "Word n-gram order of chrF; 2 computes chrF2++")
      ->check(CLI::Range(0, 2));
  command.add_flag("--lowercase", arguments.lowercase, "Ignore case in BLEU and chrF");
  command.add_flag("--ter-case-sensitive", options.ter.case_sensitive, "Respect case in TER");
}

}  // namespace

void define_evaluate_command(CLI::App& command, CommandCall& call) {
  auto arguments = std::make_shared<EvaluateArguments>();
  auto& request = arguments->request;
  auto* hypothesis = command.add_option("--hypothesis", request.hypothesis,
                                        "Translations to evaluate, one per line");
  command
      .add_option("-r,--reference", request.references,
                  "Reference translations, one per line; several files: several references")
      ->required();
  add_model_flags(command, request.translator, /*required=*/false);
  add_guidance_flags(command, request.translator);
  add_ensemble_flags(command, request.translator);
  auto* source =
      command.add_option("-s,--source", request.source, "With --model-dir: text to translate");
  auto* translations = command.add_option("--translations", request.translations,
                                          "With --model-dir: file to save the translations to");
  add_metric_flags(command, *arguments);
  command.add_flag("--json", arguments->json, "Print one JSON object");
  add_translation_flags(command, request.translation);
  add_mbr_flag(command, request.mbr_candidates);
  command.get_option("--n-best")
      ->description("With --sample: samples per line; the one with the best score is evaluated")
      ->needs(command.get_option("--sample"))
      ->group(kSamplingGroup);
  auto* model = command.get_option("--model-dir")->needs(source)->excludes(hypothesis);
  source->needs(model);
  translations->needs(model);
  for (const char* group : {kComputeGroup, kSearchGroup, kSamplingGroup}) {
    need_in_group(command, group, model);
  }
  set_examples(command, {"nmt evaluate -m models/mine -s test.ko -r test.en",
                         "nmt evaluate --hypothesis mine.en -r test.en --metrics bleu chrf",
                         "nmt evaluate --hypothesis mine.en -r one.en two.en"});
  command.callback([arguments, &request, &command, &call] {
    refuse_idle_metric_flags(command, request.options.metrics);
    complete_translation_flags(command, request.translator, request.translation);
    if (request.hypothesis.empty() && request.translator.model_dirs.empty()) {
      throw UsageError(
          "evaluate: nothing to evaluate; use --hypothesis, or --model-dir and --source");
    }
    require_not_input({request.translations},
                      {request.source, request.translator.terms, request.translator.shortlist,
                       request.translator.language_model});
    require_not_input({request.translations}, request.references);
    require_not_model({request.translations}, request.translator.model_dirs);
    call.translators = {request.translator};
    call.run = [arguments] { run(*arguments); };
  });
}

}  // namespace nmt
