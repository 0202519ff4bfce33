#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "support/line_reader.h"
#include "support/output_file.h"
#include "translate/output_format.h"

namespace nmt {
namespace {

struct InteractiveArguments {
  ModelFlags model;
  TranslationOptions options;
};

void prompt() {
  if (::isatty(STDIN_FILENO) == 1) std::cerr << "> " << std::flush;
}

void run(InteractiveArguments& arguments) {
  arguments.options.scores = arguments.options.n_best > 1;
  require_valid(arguments.options);
  const Translator translator(arguments.model.options(arguments.options));
  translator.translate({"."}, arguments.options);  // the first sentence pays for nothing
  if (::isatty(STDIN_FILENO) == 1) {
    std::cerr << "Type a sentence and Enter; Ctrl-D ends.\n";
  }
  OutputFile output("-");
  OutputFormat format;
  format.scores = arguments.options.n_best > 1;
  LineReader reader("-");
  prompt();
  for (std::string line; reader.next(line); prompt()) {
    const auto translation = translator.translate({line}, arguments.options).front();
    for (const auto& candidate : translation.candidates) {
      Translation one{candidate.text, translation.source_tokens, {candidate}};
      output.write(format_translation(reader.line_number(), line, one, format));
    }
    if (arguments.options.attention) std::cerr << attention_picture(translation);
  }
}

}  // namespace

void add_interactive_command(CLI::App& app) {
  auto arguments = std::make_shared<InteractiveArguments>();
  auto* command =
      app.add_subcommand("interactive", "Load a model once and translate each sentence typed");
  arguments->model.add_to(*command);
  add_translation_flags(*command, arguments->options);
  command->add_flag("--attention", arguments->options.attention, "Draw each sentence's attention");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
