#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "files/line_reader.h"
#include "files/output_file.h"

namespace nmt {
namespace {

struct ScoreArguments {
  ModelFlags model;
  std::string source;
  std::string target;
  std::string output = "-";
  int64_t batch_size = 64;
};

void run(const ScoreArguments& arguments) {
  const auto sources = read_lines(arguments.source);
  const auto targets = read_lines(arguments.target);
  const Translator translator(arguments.model.options());
  OutputFile output(arguments.output);
  for (const auto& score : translator.score(sources, targets, arguments.batch_size)) {
    char line[64];
    std::snprintf(line, sizeof(line), "%.6f\n", score.log_probability);
    output.write(line);
  }
  output.finish();
}

}  // namespace

void add_score_command(CLI::App& app) {
  auto arguments = std::make_shared<ScoreArguments>();
  auto* command = app.add_subcommand(
      "score", "Print the natural-log probability of each target given its source");
  arguments->model.add_to(*command);
  command->add_option("-s,--source", arguments->source, "Source sentences, one a line")->required();
  command->add_option("-t,--target", arguments->target, "Their translations, line by line")
      ->required();
  command->add_option("-o,--output", arguments->output, "File for the numbers, one a line")
      ->capture_default_str();
  command->add_option("--batch-size", arguments->batch_size, "Sentences scored together")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
