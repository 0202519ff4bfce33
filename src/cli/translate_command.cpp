#include <spdlog/spdlog.h>

#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "report/attention_file.h"
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
  std::string attention;  // a file for pictures
};

/// The file of one of the options, where it is given.
template <typename File>
std::unique_ptr<File> open_beside(const TranslateArguments& arguments, const char* option,
                                  const std::string& path) {
  if (path.empty()) return nullptr;
  if (path == arguments.output) {
    throw UsageError(std::string(option) + " and --output are the same: " + path);
  }
  return std::make_unique<File>(path);
}

/// What has to be found out about each translation for what is written of it.
void complete(TranslateArguments& arguments) {
  auto& options = arguments.options;
  auto& format = arguments.format;
  const bool pictures = !arguments.attention.empty();
  format.n_best = options.n_best > 1;
  format.words = format.json;
  format.attention = options.attention && !pictures;
  options.words = format.json || !arguments.alignments.empty() || pictures;
  options.scores = format.json || format.scores || format.n_best || pictures;
  require_valid(options);
}

void run(TranslateArguments& arguments) {
  complete(arguments);
  const auto& format = arguments.format;
  // First of all: where LibTorch is loaded for it, this begins anew (src/quick_main.cpp).
  const Translator translator(arguments.model.options(arguments.options));
  const LineGuides guides(arguments.prefixes, arguments.constraints);
  const auto alignments = open_beside<OutputFile>(arguments, "--alignments", arguments.alignments);
  const auto pictures = open_beside<AttentionFile>(arguments, "--attention", arguments.attention);
  OutputFile output(arguments.output);
  translate_stream(translator, arguments.input, arguments.options, guides,
                   [&](int64_t number, const std::string& source, const Translation& translation) {
                     if (find_invalid_utf8(source)) {
                       spdlog::warn("line {}: not valid UTF-8; the bad bytes are read as U+FFFD",
                                    number);
                     }
                     output.write(format_translation(number, source, translation, format));
                     if (alignments) alignments->write(format_alignment(translation));
                     if (pictures) pictures->add(number, source, translation);
                     if (format.attention && !format.json)
                       std::cerr << attention_picture(translation) << '\n';
                   });
  if (alignments) alignments->finish();
  if (pictures) pictures->finish();
  output.finish();
}

}  // namespace

void add_translate_command(CLI::App& app) {
  auto arguments = std::make_shared<TranslateArguments>();
  auto* command =
      app.add_subcommand("translate", "Translate a file, or standard input, line by line");
  arguments->model.add_to(*command);
  arguments->model.add_fusion_flags(*command);
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
  auto* attention = command->add_option(
      "--attention", arguments->attention,
      "Draw each sentence's attention: into FILE, a page (.html), a picture (.svg) or data "
      "(.json); "
      "without FILE on standard error; without it and with --json, write its weights");
  attention->expected(0, 1)->type_name("[FILE]");
  command->callback([arguments, attention] {
    arguments->options.attention = attention->count() > 0;
    run(*arguments);
  });
}

}  // namespace nmt
