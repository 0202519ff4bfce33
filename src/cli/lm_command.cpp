#include <filesystem>
#include <memory>
#include <string>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/existing_run_flags.h"
#include "cli/setting_options.h"
#include "errors/error.h"
#include "evaluation/score_files.h"
#include "train/train.h"

namespace nmt {
namespace {

struct LanguageModelTraining {
  SettingArguments settings;
  ExistingRunFlags existing_run;
  std::string text;
  std::string valid;
  std::string model_dir;
  std::string vocabulary_of;
  std::string side = "target";
};

/// The vocabulary file in a translator's directory.
std::string vocabulary_file(const std::string& model_dir, const std::string& side) {
  const ModelDirectory model{model_dir};
  const auto file = side == "source" ? model.source_tokenizer() : model.target_tokenizer();
  if (std::filesystem::exists(file)) return file.string();
  throw Error(model_dir + ": --vocabulary-of needs a model directory" +
              (std::filesystem::is_regular_file(model_dir) ? "; use nmt unpack to make one" : ""));
}

/// A language model is trained as a translator that ignores its source.
Settings language_model_settings(const LanguageModelTraining& arguments) {
  const ModelDirectory directory{arguments.model_dir};
  const auto& text = arguments.text;
  if (text.empty() && !arguments.existing_run.resume &&
      !std::filesystem::exists(directory.run_state())) {
    throw UsageError("lm train: --text is missing; name the file to train on");
  }
  auto given = arguments.settings;
  if (!text.empty()) given.train_sets = {text, text};
  auto settings = settings_of(given, directory);
  if (!text.empty()) {
    settings.data.valid_source = arguments.valid;
    settings.data.valid_target = arguments.valid;
  }
  if (!arguments.vocabulary_of.empty()) {
    settings.vocab.source_model = vocabulary_file(arguments.vocabulary_of, arguments.side);
    settings.vocab.target_model.clear();
  }
  settings.vocab.joint = true;
  settings.model.architecture = Architecture::kLanguageModel;
  return settings;
}

void train_language_model(const LanguageModelTraining& arguments) {
  train({language_model_settings(arguments), arguments.model_dir, arguments.existing_run.policy(),
         arguments.existing_run.accept_changes});
}

void add_lm_train(CLI::App& lm) {
  auto arguments = std::make_shared<LanguageModelTraining>();
  auto* command = lm.add_subcommand(
      "train",
      "Train a language model on a monolingual text; after Ctrl-C the same command resumes");
  command->add_option("--text", arguments->text, "Training text, one sentence a line; .gz too")
      ->type_name("FILE");
  command
      ->add_option("--valid", arguments->valid,
                   "Validation text, for early stopping and the choice of checkpoints")
      ->type_name("FILE");
  command
      ->add_option("-m,--model-dir", arguments->model_dir, "Model directory of the language model")
      ->required()
      ->type_name("DIR");
  auto* vocabulary = command->add_option(
      "--vocabulary-of", arguments->vocabulary_of,
      "Model directory of a translator to take the vocabulary from, for use with its --lm; by "
      "default one is trained on the text");
  vocabulary->type_name("DIR");
  command->add_option("--side", arguments->side, "Its target or source vocabulary")
      ->check(CLI::IsMember({"target", "source"}))
      ->capture_default_str()
      ->needs(vocabulary);
  add_config_options(*command, arguments->settings);
  arguments->existing_run.add_to(*command);
  add_short_options(*command, arguments->settings);
  command->callback([arguments] { train_language_model(*arguments); });
}

void add_lm_score(CLI::App& lm) {
  auto request = std::make_shared<LineScoringRequest>();
  auto* command = lm.add_subcommand(
      "score",
      "Print the log probability of each line, natural logarithm, end of sentence included; "
      "perplexity goes to standard error");
  auto& options = request->options;
  command->add_option("-m,--model-dir", options.language_model, "Model directory or packed model")
      ->required()
      ->type_name("MODEL");
  command->add_option("-i,--input", request->input, "Text to score, one sentence a line; .gz too")
      ->capture_default_str();
  command->add_option("-o,--output", request->output, "Output file, one number a line")
      ->capture_default_str();
  command->add_option("--device", options.device, "Device: cpu, cuda or cuda:N")
      ->capture_default_str();
  command->add_option("--threads", options.threads, "Number of threads; 0 uses all cores")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  command->add_option("--batch-size", options.batch_size, "Lines in a batch")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command->callback([request] { score_lines(*request); });
}

}  // namespace

void add_lm_command(CLI::App& app) {
  auto* lm = app.add_subcommand("lm", "Train and score language models, for use with `--lm`");
  lm->require_subcommand(1);
  add_lm_train(*lm);
  add_lm_score(*lm);
}

}  // namespace nmt
