#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "errors/error.h"
#include "files/file.h"
#include "text/vocabulary_tasks.h"

namespace nmt {
namespace {

constexpr char kTrainingGroup[] = "Training";

struct VocabArguments {
  std::string output;
  std::string inspect;
  int64_t pieces = 20;
  bool overwrite = false;
  TokenizerTraining training;
};

void run(const VocabArguments& arguments) {
  if (!arguments.output.empty()) {
    std::vector<std::pair<std::string, std::filesystem::path>> inputs;
    for (const auto& corpus : arguments.training.corpora) inputs.emplace_back("--input", corpus);
    require_one_standard_input(inputs);
    const auto& corpora = arguments.training.corpora;
    require_not_input({arguments.output}, {corpora.begin(), corpora.end()});
    std::cout << write_vocabulary(arguments.training, arguments.output, arguments.overwrite);
  } else if (!arguments.inspect.empty()) {
    std::cout << describe_vocabulary_file(arguments.inspect, arguments.pieces);
  } else {
    throw UsageError("vocab: nothing to do; use --input with --output, or --inspect");
  }
}

void add_training_options(CLI::App& command, VocabArguments& arguments) {
  auto& training = arguments.training;
  auto* input =
      command.add_option("-i,--input", training.corpora,
                         "Text, one sentence per line; several files train a joint vocabulary");
  auto* output = command.add_option("-o,--output", arguments.output, "Model file to write");
  need_each_other(input, output);
  const HelpGroup group(command, kTrainingGroup);
  command.add_flag("--overwrite", arguments.overwrite, "Replace an existing output file");
  add_with_default(command, "--size", training.vocabulary_size,
                   "Number of pieces, special tokens included")
      ->check(CLI::PositiveNumber);
  add_choice(command, "--type", training.type, "Subword model");
  add_with_default(command, "--character-coverage", training.character_coverage,
                   "Fraction of the text's characters that get a piece")
      ->check(check_in({0.98, 1}));
  command.add_flag("--byte-fallback", training.byte_fallback,
                   "Encode characters without a piece as UTF-8 bytes");
  add_choice(command, "--normalization", training.normalization, "Unicode normalization");
  add_with_default(command, "--max-sentences", training.max_sentences,
                   "Lines sampled for training, at most 48 MB; 0: as many as fit")
      ->check(CLI::NonNegativeNumber);
  add_with_default(command, "--seed", training.seed, "Seed of the sample")->check(check_seed);
  add_with_default(command, "--threads", training.threads, "CPU threads")
      ->check(CLI::Range(1, 1024));
  need_in_group(command, kTrainingGroup, output);
}

void add_model_options(CLI::App& command, VocabArguments& arguments) {
  auto* output = command.get_option("--output");
  auto* inspect = command.add_option("--inspect", arguments.inspect,
                                     "Print the properties and pieces of a vocabulary");
  add_with_default(command, "--pieces", arguments.pieces, "With --inspect: pieces printed")
      ->needs(inspect)
      ->check(CLI::NonNegativeNumber);
  inspect->excludes(output);
}

}  // namespace

void define_vocab_command(CLI::App& command, CommandCall& /*call*/) {
  auto arguments = std::make_shared<VocabArguments>();
  add_training_options(command, *arguments);
  add_model_options(command, *arguments);
  set_examples(command, {"nmt vocab -i train.en -o en.model --size 8000",
                         "nmt vocab --inspect en.model --pieces 20"});
  command.callback([arguments] { run(*arguments); });
}

}  // namespace nmt
