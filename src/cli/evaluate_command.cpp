#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "metrics/evaluation_report.h"
#include "translate/text_scoring.h"

namespace nmt {
namespace {

struct EvaluateArguments {
  std::string hypothesis;
  std::string reference;
  std::string source;
  std::string translations;
  ModelFlags model;
  TranslationOptions translation;
  EvaluationOptions options;
  std::string tokenizer = "13a";
  std::string smoothing = "exp";
  bool lowercase = false;
  bool json = false;
};

BleuSmoothing parse_smoothing(const std::string& name) {
  if (name == "exp") return BleuSmoothing::kExp;
  if (name == "floor") return BleuSmoothing::kFloor;
  if (name == "add-k") return BleuSmoothing::kAddK;
  if (name == "none") return BleuSmoothing::kNone;
  throw UsageError("--smoothing " + name + ": it has to be exp, floor, add-k or none");
}

void complete(EvaluateArguments& arguments) {
  require_valid(arguments.translation);
  arguments.options.bleu.tokenizer = parse_bleu_tokenizer(arguments.tokenizer);
  arguments.options.bleu.smoothing = parse_smoothing(arguments.smoothing);
  arguments.options.bleu.lowercase = arguments.lowercase;
  arguments.options.chrf.lowercase = arguments.lowercase;
  const bool has_model = !arguments.model.model_dirs.empty();
  if (has_model == !arguments.hypothesis.empty() || has_model == arguments.source.empty()) {
    throw UsageError(
        "evaluate needs --hypothesis and --reference, or --model-dir, --source and --reference");
  }
}

EvaluationReport evaluate_model(const EvaluateArguments& arguments,
                                const std::vector<std::string>& references) {
  const auto sources = read_lines(arguments.source);
  if (sources.size() != references.size()) {
    throw Error(arguments.source + " has " + std::to_string(sources.size()) + " lines and " +
                arguments.reference + " " + std::to_string(references.size()) +
                "; they have to pair line by line");
  }
  const Translator translator(arguments.model.options());
  std::vector<std::string> hypotheses;
  for (const auto& translation : translator.translate(sources, arguments.translation)) {
    hypotheses.push_back(translation.text);
  }
  if (!arguments.translations.empty()) {
    OutputFile output(arguments.translations);
    for (const auto& hypothesis : hypotheses) output.write(hypothesis + "\n");
    output.finish();
  }
  auto report = evaluate(hypotheses, references, arguments.options);
  const bool single = arguments.model.model_dirs.size() == 1;
  if (single) report.perplexity = perplexity_of(translator.score(sources, references));
  return report;
}

void run(EvaluateArguments& arguments) {
  complete(arguments);
  const auto references = read_lines(arguments.reference);
  const auto report = arguments.hypothesis.empty() ? evaluate_model(arguments, references)
                                                   : evaluate(read_lines(arguments.hypothesis),
                                                              references, arguments.options);
  std::cout << (arguments.json ? to_json(report, arguments.options)
                               : to_text(report, arguments.options));
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto arguments = std::make_shared<EvaluateArguments>();
  auto* command = app.add_subcommand(
      "evaluate", "BLEU, chrF2 and TER of a translation, or of a model on a test set");
  command->add_option("--hypothesis", arguments->hypothesis, "Translations to judge, one a line");
  command->add_option("-r,--reference", arguments->reference, "Right translations, line by line")
      ->required();
  arguments->model.add_to(*command, /*required=*/false);
  arguments->model.add_fusion_flags(*command);
  command->add_option("-s,--source", arguments->source,
                      "With --model-dir: text to translate and judge");
  command->add_option("--translations", arguments->translations,
                      "With --model-dir: keep the translations in this file");
  command->add_option("--metrics", arguments->options.metrics, "Which of bleu chrf ter")
      ->check(CLI::IsMember({"bleu", "chrf", "ter"}))
      ->capture_default_str();
  command
      ->add_option("--tokenize", arguments->tokenizer,
                   "BLEU's words: 13a, none (white space), char, intl or zh")
      ->capture_default_str();
  command
      ->add_option("--smoothing", arguments->smoothing,
                   "BLEU's smoothing: exp, floor, add-k or none")
      ->capture_default_str();
  command
      ->add_option("--chrf-word-order", arguments->options.chrf.word_order, "2 makes chrF2 chrF2++")
      ->check(CLI::Range(0, 2))
      ->capture_default_str();
  command->add_flag("--lowercase", arguments->lowercase, "Ignore case in BLEU and chrF");
  command->add_flag("--ter-case-sensitive", arguments->options.ter.case_sensitive,
                    "Mind case in TER");
  command->add_flag("--ter-normalized", arguments->options.ter.normalized,
                    "Count punctuation as words in TER");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  add_translation_flags(*command, arguments->translation);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
