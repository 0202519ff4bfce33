#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/stored_model.h"
#include "cli/commands.h"
#include "errors/error.h"
#include "explain/attention_walk.h"
#include "explain/explanation_page.h"
#include "explain/explanation_text.h"
#include "explain/model_walk.h"
#include "explain/word_vectors.h"
#include "files/output_file.h"
#include "translate/translator.h"

namespace nmt {
namespace {

struct ExplainArguments {
  std::vector<std::string> sentence;
  std::string kind;
  std::string model_dir;
  std::string output;
  std::string language;
  bool example = false;
  bool causal = false;
};

/// The words, also where the quotes were forgotten.
std::string sentence_of(const ExplainArguments& arguments) {
  std::string sentence;
  for (const auto& part : arguments.sentence) sentence += (sentence.empty() ? "" : " ") + part;
  return sentence;
}

void require_one_subject(const ExplainArguments& arguments) {
  if (arguments.example == !arguments.sentence.empty()) {
    throw UsageError("explain attention needs a sentence in quotes, or --example, one of them");
  }
  if (arguments.model_dir.empty()) return;
  if (arguments.example || !arguments.kind.empty() || arguments.causal) {
    throw UsageError(
        "--model-dir: a trained model has a kind of attention and numbers of its own; it takes a "
        "sentence, and neither --example, --kind nor --causal");
  }
}

Explanation explanation_of_model(const ExplainArguments& arguments) {
  std::string sentence;
  for (const auto& word : words_to_explain(sentence_of(arguments))) {
    sentence += (sentence.empty() ? "" : " ") + word;
  }
  const auto shape = read_model(arguments.model_dir).options;
  require_attention(shape, arguments.model_dir);
  const Translator translator({{arguments.model_dir}});
  TranslationOptions options;
  options.attention = options.words = true;
  return explain_translation(sentence, translator.translate({sentence}, options).front(), shape);
}

Explanation explanation_of(const ExplainArguments& arguments) {
  if (!arguments.model_dir.empty()) return explanation_of_model(arguments);
  const auto input = arguments.example ? example_input() : sentence_input(sentence_of(arguments));
  return walk_attention(arguments.kind.empty() ? "scaled-dot" : arguments.kind, input,
                        arguments.causal);
}

/// NO_COLOR: see https://no-color.org.
bool emphasis_is_understood() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDOUT_FILENO) == 1 && (refused == nullptr || *refused == '\0') &&
         terminal != nullptr && std::string(terminal) != "dumb";
}

void run(const ExplainArguments& arguments) {
  require_one_subject(arguments);
  const auto language = parse_language(arguments.language);
  const auto ending = std::filesystem::path(arguments.output).extension();
  if (!arguments.output.empty() && ending != ".html" && ending != ".svg") {
    throw UsageError("--output " + arguments.output + ": unknown extension; use .html or .svg");
  }
  const auto explanation = explanation_of(arguments);
  OutputFile output(arguments.output);
  if (ending == ".html") {
    output.write(explanation_page(explanation, language));
  } else if (ending == ".svg") {
    output.write(explanation_picture(explanation, language));
  } else {
    output.write(explanation_text(explanation, language, emphasis_is_understood()));
  }
  output.finish();
}

}  // namespace

void add_explain_command(CLI::App& app) {
  auto* explain = app.add_subcommand("explain", "Walk through what a model computes, with numbers");
  explain->require_subcommand(1);
  auto* command = explain->add_subcommand(
      "attention", "Query, key, value: every step of attention on a sentence of yours");
  const auto arguments = std::make_shared<ExplainArguments>();
  command->add_option("sentence", arguments->sentence, "A sentence of up to 32 words, in quotes");
  std::string names;
  for (const auto& kind : attention_kinds()) names += (names.empty() ? "" : ", ") + kind;
  command->add_option("--kind", arguments->kind, "Which attention: " + names + " [scaled-dot]")
      ->check(CLI::IsMember(attention_kinds()))
      ->type_name("KIND");
  command->add_flag("--example", arguments->example,
                    "Instead of a sentence: three small inputs to be worked out by hand");
  command->add_flag("--causal", arguments->causal,
                    "Hide from each word what stands behind it, as in a decoder");
  command->add_option("-m,--model-dir", arguments->model_dir,
                      "The numbers of this trained model when it translates the sentence");
  command->add_option("-o,--output", arguments->output,
                      "File to draw into: a page (.html) or a picture (.svg); without it, text");
  command->add_option("--language", arguments->language,
                      "Of the explanation: en or ko [as LC_ALL, LC_MESSAGES or LANG say]");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
