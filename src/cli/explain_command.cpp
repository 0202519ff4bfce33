#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "attentions/attention_kind.h"
#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "config/choice.h"
#include "errors/error.h"
#include "explain/explain_attention.h"

namespace nmt {
namespace {

struct ExplainArguments {
  ExplainRequest request;
  std::vector<std::string> words;
  std::string language;
};

void run(ExplainArguments& arguments, const char* command,
         void (*explain)(const ExplainRequest& request)) {
  auto& sentence = arguments.request.sentence;
  for (const auto& part : arguments.words) sentence += (sentence.empty() ? "" : " ") + part;
  if (arguments.words.empty() && !arguments.request.example) {
    throw UsageError(std::string("explain ") + command +
                     ": no sentence given; use one in quotes, or --example");
  }
  arguments.request.language = parse_language(arguments.language);
  explain(arguments.request);
}

/// A line for each attention.
std::string kinds_text() {
  std::string text = "Attentions:";
  for (const auto* kind : attention_kinds()) {
    text += std::string("\n  ") + kind->name + ": " + kind->summary;
  }
  return text;
}

constexpr char kFilesWithJson[] = "a page (.html), picture (.svg) or .json";

CLI::Option* add_sentence(CLI::App& command, ExplainArguments& arguments,
                          const char* meaning = "Sentence of up to 32 words, in quotes") {
  return command.add_option("sentence", arguments.words, meaning)->type_name("SENTENCE");
}

CLI::Option* add_model(CLI::App& command, ExplainArguments& arguments,
                       const char* meaning = "Model directory or packed model") {
  return command.add_option("-m,--model-dir", arguments.request.model_dir, meaning)
      ->type_name("MODEL");
}

CLI::Option* add_example(CLI::App& command, ExplainArguments& arguments, CLI::Option* sentence) {
  return command
      .add_flag("--example", arguments.request.example,
                "Use three small inputs, to work out by hand")
      ->excludes(sentence);
}

void add_output(CLI::App& command, ExplainArguments& arguments,
                const char* files = "a page (.html) or a picture (.svg)") {
  command.add_option("-o,--output", arguments.request.output,
                     std::string("File to write: ") + files + " [text on the terminal]");
  command
      .add_option("--language", arguments.language,
                  "Language of the explanation: en or ko [from the locale]")
      ->type_name(choice_type("CODE", {"en", "ko"}));
}

void add_attention(CLI::App& explain, CommandCall& call) {
  auto* command = explain.add_subcommand(
      "attention", "Explain attention on a sentence: query, key, value and every number");
  const auto arguments = std::make_shared<ExplainArguments>();
  auto& request = arguments->request;
  auto* sentence = add_sentence(*command, *arguments);
  const auto names = kind_names(attention_kinds());
  auto* kind =
      command->add_option("--kind", request.kind, "Attention: " + list_of(names) + " [scaled-dot]")
          ->check([names](const std::string& name) {
            return find_kind(attention_kinds(), name) != nullptr ? "" : unknown_choice(name, names);
          })
          ->type_name(choice_type("KIND", names));
  command->footer(kinds_text());
  auto* example = add_example(*command, *arguments, sentence);
  auto* causal = command->add_flag("--causal", request.causal,
                                   "Hide later words from each word, as in a decoder");
  add_model(*command, *arguments, "Explain this trained model as it translates the sentence")
      ->excludes(kind)
      ->excludes(example)
      ->excludes(causal);
  add_output(*command, *arguments);
  set_examples(*command, {"nmt explain attention \"저는 책을 읽어요.\" -m models/mine",
                          "nmt explain attention --example --causal"});
  command->callback([arguments, &call] {
    const auto& model = arguments->request.model_dir;
    if (!model.empty()) call.translators = {{{model}}};
    call.run = [arguments] { run(*arguments, "attention", explain_attention); };
  });
}

void add_gru(CLI::App& explain, CommandCall& call) {
  auto* command = explain.add_subcommand(
      "gru", "Explain a GRU that reads a sentence: its gates and what its state remembers");
  const auto arguments = std::make_shared<ExplainArguments>();
  auto* sentence = add_sentence(*command, *arguments);
  auto* example = add_example(*command, *arguments, sentence);
  add_model(*command, *arguments,
            "Explain the encoder of this trained model as it reads the sentence")
      ->excludes(example);
  add_output(*command, *arguments);
  set_examples(*command, {"nmt explain gru \"저는 책을 읽어요.\" -m models/mine",
                          "nmt explain gru --example"});
  command->callback(
      [arguments, &call] { call.run = [arguments] { run(*arguments, "gru", explain_gru); }; });
}

void add_omission(CLI::App& explain, CommandCall& call) {
  auto* command = explain.add_subcommand(
      "omission", "Show what a translation loses without each source word, beside attention");
  const auto arguments = std::make_shared<ExplainArguments>();
  add_sentence(*command, *arguments)->required();
  command
      ->add_option("--translation", arguments->request.translation,
                   "Translation to score [the model's own]")
      ->type_name("SENTENCE");
  add_model(*command, *arguments)->required();
  add_output(*command, *arguments, kFilesWithJson);
  set_examples(*command, {"nmt explain omission \"저는 어제 책을 읽었어요.\" -m models/mine",
                          "nmt explain omission \"저는 책을 읽어요.\" --translation \"I read.\" "
                          "-m models/mine -o omission.json"});
  command->callback([arguments, &call] {
    call.translators = {{{arguments->request.model_dir}}};
    call.run = [arguments] { run(*arguments, "omission", explain_omission); };
  });
}

void add_beam(CLI::App& explain, CommandCall& call) {
  auto* command = explain.add_subcommand(
      "beam", "Show the beam search for a translation: what it considered, kept and cut off");
  const auto arguments = std::make_shared<ExplainArguments>();
  auto& request = arguments->request;
  add_sentence(*command, *arguments, "Sentence of up to 64 tokens, in quotes")->required();
  add_model(*command, *arguments)->required();
  command
      ->add_option("-b,--beam-size", request.beam_size,
                   "Hypotheses kept at each step, from 1 to 10")
      ->capture_default_str();
  command
      ->add_option("--length-penalty", request.length_penalty,
                   "Exponent A of length normalization; above 0 favors longer translations")
      ->capture_default_str();
  add_output(*command, *arguments, kFilesWithJson);
  set_examples(*command,
               {"nmt explain beam \"저는 책을 읽어요.\" -m models/mine",
                "nmt explain beam \"저는 책을 읽어요.\" -b 5 -m models/mine -o beam.html"});
  command->callback([arguments, &call] {
    call.translators = {{{arguments->request.model_dir}}};
    call.run = [arguments] { run(*arguments, "beam", explain_beam); };
  });
}

void add_pieces(CLI::App& explain, CommandCall& call) {
  auto* command = explain.add_subcommand(
      "pieces", "Show how the vocabulary of a model cuts words into pieces, merge by merge");
  const auto arguments = std::make_shared<ExplainArguments>();
  command->add_option("words", arguments->words, "Up to 32 words")->type_name("WORD")->required();
  add_model(*command, *arguments)->required();
  command->add_flag("--target", arguments->request.target,
                    "Use the vocabulary of the target [of the source]");
  add_output(*command, *arguments, kFilesWithJson);
  set_examples(*command, {"nmt explain pieces 책을 읽었어요 -m models/mine",
                          "nmt explain pieces reading --target -m models/mine -o pieces.html"});
  command->callback([arguments, &call] {
    call.run = [arguments] { run(*arguments, "pieces", explain_pieces); };
  });
}

void add_gradient(CLI::App& explain, CommandCall& call) {
  auto* command = explain.add_subcommand(
      "gradient", "Explain back-propagation, each derivative beside its finite difference");
  const auto arguments = std::make_shared<ExplainArguments>();
  auto& request = arguments->request;
  auto* sentence = add_sentence(*command, *arguments, "Sentence of up to 64 tokens, in quotes");
  auto* translation = command->add_option("--translation", request.translation,
                                          "Translation whose loss is explained");
  auto* model = add_model(*command, *arguments, "Explain this trained model [a small example]");
  translation->type_name("SENTENCE");
  sentence->needs(model);
  translation->needs(model);
  model->needs(sentence)->needs(translation);
  add_output(*command, *arguments, kFilesWithJson);
  set_examples(*command, {"nmt explain gradient",
                          "nmt explain gradient \"저는 책을 읽어요.\" --translation \"I read a "
                          "book.\" -m models/mine"});
  command->callback([arguments, &call] {
    const auto& model_dir = arguments->request.model_dir;
    arguments->request.example = model_dir.empty();
    TranslatorOptions plain{{model_dir}};
    plain.engine = TranslationEngine::kPlain;
    if (!model_dir.empty()) call.translators = {plain};
    call.run = [arguments] { run(*arguments, "gradient", explain_gradient); };
  });
}

}  // namespace

void add_explain_command(CLI::App& app, CommandCall& call) {
  auto* explain = app.add_subcommand("explain", "Explain what a model computes, step by step");
  explain->require_subcommand(1);
  add_attention(*explain, call);
  add_gru(*explain, call);
  add_omission(*explain, call);
  add_beam(*explain, call);
  add_pieces(*explain, call);
  add_gradient(*explain, call);
}

}  // namespace nmt
