#include <spdlog/spdlog.h>

#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "support/error.h"
#include "support/output_file.h"
#include "support/utf8.h"
#include "translate/line_guides.h"
#include "translate/line_stream.h"
#include "translate/output_format.h"

namespace nmt {
namespace {

struct TranslateArguments {
  ModelFlags model;
  TranslationOptions options;
  OutputFormat format;
  std::string input = "-";
  std::string output = "-";
  std::string alignments;
  std::string prefixes;
  std::string constraints;
};

/// The file of alignments, where there is one.
std::unique_ptr<OutputFile> open_alignments(const TranslateArguments& arguments) {
  if (arguments.alignments.empty()) return nullptr;
  if (arguments.alignments == arguments.output) {
    throw UsageError("--alignments and --output are the same: " + arguments.output);
  }
  return std::make_unique<OutputFile>(arguments.alignments);
}

void run(TranslateArguments& arguments) {
  auto& format = arguments.format;
  format.words = format.json;
  arguments.options.words = format.json || !arguments.alignments.empty();
  arguments.options.scores = format.json || format.scores || arguments.options.n_best > 1;
  require_valid(arguments.options);
  // First of all: where LibTorch is loaded for it, this begins anew (src/quick_main.cpp).
  const Translator translator(arguments.model.options(arguments.options));
  const LineGuides guides(arguments.prefixes, arguments.constraints);
  format.n_best = arguments.options.n_best > 1;
  format.attention = arguments.options.attention;
  const auto alignments = open_alignments(arguments);
  OutputFile output(arguments.output);
  translate_stream(translator, arguments.input, arguments.options, guides,
                   [&](int64_t number, const std::string& source, const Translation& translation) {
                     if (find_invalid_utf8(source)) {
                       spdlog::warn("line {}: not valid UTF-8; the bad bytes are read as U+FFFD",
                                    number);
                     }
                     output.write(format_translation(number, source, translation, format));
                     if (alignments) alignments->write(format_alignment(translation));
                     if (format.attention && !format.json)
                       std::cerr << attention_picture(translation) << '\n';
                   });
  if (alignments) alignments->finish();
  output.finish();
}

}  // namespace

void add_translate_command(CLI::App& app) {
  auto arguments = std::make_shared<TranslateArguments>();
  auto* command =
      app.add_subcommand("translate", "Translate a file, or standard input, line by line");
  arguments->model.add_to(*command);
  command
      ->add_option("-i,--input", arguments->input,
                   "Text to translate, one sentence a line; .gz too")
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "File for the translations")
      ->capture_default_str();
  add_translation_flags(*command, arguments->options);
  command->add_flag("--scores", arguments->format.scores,
                    "Write SCORE and a tab before each translation");
  command->add_flag(
      "--json", arguments->format.json,
      "Write one JSON object a line: source, translation, candidates with tokens, words, scores, "
      "alignment and warnings");
  command->add_option("--alignments", arguments->alignments,
                      "File for the word alignments, a line of source-target pairs (0-0 1-2) for "
                      "each translation");
  command->add_option("--prefix", arguments->prefixes,
                      "File with the beginning of each translation, a line for each line of input; "
                      "its last word may be unfinished, an empty one is free");
  command->add_option("--constraints", arguments->constraints,
                      "File with words or phrases that each translation has to hold, "
                      "tab-separated, a line for each line of input");
  command->add_flag(
      "--attention", arguments->options.attention,
      "Draw each sentence's attention on standard error; with --json, write its weights");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
