#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "attention_views/attention_grid.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "formats/output_format.h"
#include "markup/document.h"
#include "processes/interrupt.h"
#include "terminal/conversation.h"
#include "terminal/history.h"
#include "terminal/keys.h"
#include "terminal/line_editor.h"
#include "terminal/terminal.h"
#include "unicode/characters.h"

namespace nmt {
namespace {

struct InteractiveArguments {
  TranslatorOptions model;
  TranslationOptions options;
  DocumentFormat format = DocumentFormat::kText;  // of each line
};

/// On a terminal: line editing, commands, and translations that appear word by word.
void converse(const InteractiveArguments& arguments) {
  catch_hangups();
  catch_interrupts();
  SystemTerminal terminal;
  KeyReader keys(terminal);
  Conversation conversation(terminal, keys, arguments.model, arguments.options);
  conversation.use_format(arguments.format);
  History history(History::usual_file());
  LineEditor editor(terminal, keys, history, Conversation::completions);
  terminal.write(
      wrapped("Type a sentence and press Enter. :help lists the commands; Ctrl-D quits.\n",
              terminal.columns()));
  for (auto line = editor.read_line(); line.has_value(); line = editor.read_line()) {
    if (!conversation.answer(*line)) return;
  }
  if (interrupted()) throw Interrupted("interrupted");
}

void prompt() {
  if (::isatty(STDIN_FILENO) == 1) std::cerr << "> " << std::flush;
}

void run(InteractiveArguments& arguments) {
  if (SystemTerminal::is_there()) return converse(arguments);
  arguments.options.scores = arguments.options.n_best > 1;
  arguments.options.words = arguments.options.attention;
  require_valid(arguments.options);
  const Translator translator(arguments.model);
  warm_up(translator, arguments.options);
  if (::isatty(STDIN_FILENO) == 1) {
    std::cerr << "Type a sentence and press Enter; Ctrl-D quits.\n";
  }
  OutputFile output("-");
  OutputFormat format;
  format.scores = arguments.options.n_best > 1;
  LineReader reader("-");
  prompt();
  for (std::string line; reader.next(line); prompt()) {
    if (arguments.format != DocumentFormat::kText) {
      output.write(translate_document(translator, line, arguments.format, arguments.options) +
                   "\n");
      continue;
    }
    const auto translation = translator.translate({line}, arguments.options).front();
    for (const auto& candidate : translation.candidates) {
      Translation one{candidate.text, translation.source_tokens, {candidate}};
      output.write(format_translation(reader.line_number(), line, one, format));
    }
    if (arguments.options.attention) std::cerr << attention_grid(translation, {});
  }
}

}  // namespace

void define_interactive_command(CLI::App& command, CommandCall& call) {
  auto arguments = std::make_shared<InteractiveArguments>();
  add_model_flags(command, arguments->model);
  add_guidance_flags(command, arguments->model);
  add_ensemble_flags(command, arguments->model);
  add_translation_flags(command, arguments->options);
  command.add_flag("--attention", arguments->options.attention,
                   "Draw the attention of each sentence");
  add_choice(command, "--format", arguments->format, "Format of each line");
  set_examples(command,
               {"nmt interactive -m models/mine", "nmt interactive -m models/mine --attention"});
  command.callback([arguments, &command, &call] {
    complete_translation_flags(command, arguments->model, arguments->options);
    if (arguments->format != DocumentFormat::kText) {
      for (const char* option : {"--n-best", "--attention"}) {
        refuse_option(command, option, "only for --format text; omit it");
      }
    }
    call.translators = {arguments->model};
    call.run = [arguments] { run(*arguments); };
  });
}

}  // namespace nmt
