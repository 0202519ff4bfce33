#include <memory>
#include <string>
#include <vector>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/existing_run_flags.h"
#include "cli/setting_options.h"
#include "errors/error.h"
#include "evaluation/score_files.h"
#include "files/file.h"
#include "train/train.h"

namespace nmt {
namespace {

struct LanguageModelArguments {
  SettingArguments settings;
  ExistingRunFlags existing_run;
  LanguageModelRequest request;
};

/// A language model decides some settings itself.
void refuse_other_model(const Settings& settings, const SettingArguments& given) {
  if (given.settings.count("model.architecture") > 0 &&
      settings.model.architecture != Architecture::kLanguageModel) {
    throw UsageError("--model.architecture: lm train makes a language_model; leave it out");
  }
  if (given.settings.count("vocab.joint") > 0 && !settings.vocab.joint) {
    throw UsageError("--vocab.joint: a language model has one vocabulary; leave it out");
  }
}

void train_on(LanguageModelArguments& arguments) {
  auto& training = arguments.request.training;
  training.settings =
      settings_of(arguments.settings, {training.model_dir}, arguments.existing_run.resume);
  refuse_invalid_settings(training.settings, arguments.settings);
  refuse_other_model(training.settings, arguments.settings);
  if (arguments.existing_run.starts_new({training.model_dir})) {
    auto settings = training.settings;
    settings.model.architecture = Architecture::kLanguageModel;
    settings.vocab.joint = true;
    const auto& other = arguments.request.vocabulary_of;
    if (!other.empty()) settings.vocab.source_model = other.string();
    refuse_ignored_settings(settings, arguments.settings);
  }
  training.existing_run = arguments.existing_run.policy();
  training.accept_changes = arguments.existing_run.accept_changes;
  train_language_model(arguments.request);
}

void add_lm_train(CLI::App& lm) {
  auto arguments = std::make_shared<LanguageModelArguments>();
  auto& settings = arguments->settings;
  auto& request = arguments->request;
  auto* command = lm.add_subcommand(
      "train", "Train a language model on monolingual text; rerun the command to resume");
  const auto add_text = [&](const char* flags, std::vector<std::string>& both_sides,
                            const char* meaning) {
    command->add_option_function<std::string>(
        flags,
        [&both_sides](const std::string& text) {
          both_sides = {text, text};
        },
        meaning);
  };
  add_text("-t,--text", settings.train_sets, "Training text, one sentence per line; .gz too");
  add_text("--valid", settings.valid_sets,
           "Validation text, for early stopping and the choice of checkpoints");
  command
      ->add_option("-m,--model-dir", request.training.model_dir,
                   "Model directory of the language model")
      ->required()
      ->type_name("DIR");
  auto* vocabulary = command->add_option(
      "--vocabulary-of", request.vocabulary_of,
      "Translator whose vocabulary to use, for its --lm [train one on the text]");
  vocabulary->type_name("DIR");
  add_with_default(*command, "--side", request.side,
                   "Side of the translator whose vocabulary to use: target, source")
      ->check(CLI::IsMember({"target", "source"}))
      ->needs(vocabulary);
  add_config_options(*command, settings);
  command->get_option("--text")->excludes("--data.train-source", "--data.train-target");
  command->get_option("--valid")->excludes("--data.valid-source", "--data.valid-target");
  vocabulary->excludes("--vocab.source-model", "--vocab.target-model");
  arguments->existing_run.add_to(*command);
  add_short_options(*command, settings, "Maximum time for training");
  set_examples(*command, {"nmt lm train --text big.en --vocabulary-of models/mine -m models/lm",
                          "nmt lm train --text big.en --valid valid.en -m models/lm"});
  command->callback([arguments] { train_on(*arguments); });
}

void add_lm_score(CLI::App& lm) {
  auto request = std::make_shared<LineScoringRequest>();
  auto* command = lm.add_subcommand(
      "score", "Print each line's natural-log probability; perplexity goes to standard error");
  auto& options = request->options;
  add_model(*command, options.language_model)->required();
  add_with_default(*command, "-i,--input", request->input,
                   "Text to score, one sentence per line; .gz too");
  add_with_default(*command, "-o,--output", request->output, "Output file, one number per line");
  add_device(*command, options.device);
  add_threads(*command, options.threads);
  add_batch_size(*command, options.batch_size, "Lines in a batch");
  set_examples(*command, {"nmt lm score -m models/lm -i text.en",
                          "nmt lm score -m models/lm -i text.en -o scores.txt"});
  command->callback([request] {
    require_not_input({request->output}, {request->input});
    require_not_model({request->output}, {request->options.language_model});
    score_lines(*request);
  });
}

}  // namespace

void define_lm_command(CLI::App& command, CommandCall& /*call*/) {
  command.require_subcommand(1);
  add_lm_train(command);
  add_lm_score(command);
}

}  // namespace nmt
