#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attentions/attention_kind.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "config/choice.h"
#include "errors/error.h"
#include "explain/explain_attention.h"
#include "explain/word_vectors.h"

namespace nmt {
namespace {

struct ExplainArguments {
  ExplainRequest request;
  std::vector<std::string> words;
  std::string language;
};

/// A subcommand of nmt explain.
struct Subject {
  const char* name;
  const char* meaning;
  void (*add_options)(CLI::App& command, ExplainArguments& arguments);
  Explanation (*explain)(const ExplainRequest& request);
  std::optional<TranslationEngine> engine = {};  // of the translator that it opens for a model
};

void run(ExplainArguments& arguments, const Subject& subject) {
  auto& request = arguments.request;
  request.sentence = joined_words(arguments.words);
  if (arguments.words.empty() && !request.example) {
    throw UsageError(std::string("explain ") + subject.name +
                     ": no sentence given; use one in quotes" +
                     (request.model_dir.empty() ? ", or --example" : ""));
  }
  request.language = parse_language(arguments.language);
  write_explanation(request, subject.explain);
}

CLI::Option* add_sentence(CLI::App& command, ExplainArguments& arguments,
                          const char* meaning = "Sentence of up to 32 words, in quotes") {
  return command.add_option("sentence", arguments.words, meaning)->type_name("SENTENCE");
}

CLI::Option* add_example(CLI::App& command, ExplainArguments& arguments, CLI::Option* sentence) {
  return command
      .add_flag("--example", arguments.request.example,
                "Use three small inputs, to work out by hand")
      ->excludes(sentence);
}

void add_output(CLI::App& command, ExplainArguments& arguments) {
  command.add_option("-o,--output", arguments.request.output,
                     "File to write: a page (.html) or a picture (.svg) [text on the terminal]");
  command
      .add_option("--language", arguments.language,
                  "Language of the explanation: en or ko [from the locale]")
      ->type_name(choice_type("CODE", {"en", "ko"}));
}

void add_attention_options(CLI::App& command, ExplainArguments& arguments) {
  auto& request = arguments.request;
  auto* sentence = add_sentence(command, arguments);
  const auto names = kind_names(attention_kinds());
  auto* kind =
      command
          .add_option_function<std::string>(
              "--kind",
              [&request](const std::string& name) {
                request.kind = find_kind(attention_kinds(), name);
              },
              "Attention: " + list_of(names) + " [scaled-dot]")
          ->check([names](const std::string& name) {
            return find_kind(attention_kinds(), name) != nullptr ? "" : unknown_choice(name, names);
          })
          ->type_name(choice_type("KIND", names));
  auto* example = add_example(command, arguments, sentence);
  add_model(command, request.model_dir, "Explain this trained model as it translates the sentence")
      ->excludes(kind)
      ->excludes(example);
  set_examples(command, {"nmt explain attention \"저는 책을 읽어요.\" -m models/mine",
                         "nmt explain attention --example"});
}

void add_gru_options(CLI::App& command, ExplainArguments& arguments) {
  auto* example = add_example(command, arguments, add_sentence(command, arguments));
  add_model(command, arguments.request.model_dir,
            "Explain the encoder of this trained model as it reads the sentence")
      ->excludes(example);
  set_examples(command, {"nmt explain gru \"저는 책을 읽어요.\" -m models/mine",
                         "nmt explain gru --example"});
}

void add_omission_options(CLI::App& command, ExplainArguments& arguments) {
  add_sentence(command, arguments)->required();
  command
      .add_option("--translation", arguments.request.translation,
                  "Translation to score [the model's own]")
      ->type_name("SENTENCE");
  add_model(command, arguments.request.model_dir)->required();
  set_examples(command, {"nmt explain omission \"저는 어제 책을 읽었어요.\" -m models/mine",
                         "nmt explain omission \"저는 책을 읽어요.\" --translation \"I read.\" "
                         "-m models/mine -o omission.html"});
}

void add_beam_options(CLI::App& command, ExplainArguments& arguments) {
  auto& request = arguments.request;
  add_sentence(command, arguments, "Sentence of up to 64 tokens, in quotes")->required();
  add_model(command, request.model_dir)->required();
  add_with_default(command, "-b,--beam-size", request.beam_size,
                   "Hypotheses kept at each step, from 1 to 10");
  add_with_default(command, "--length-penalty", request.length_penalty,
                   "Exponent A of length normalization; above 0 favors longer translations");
  set_examples(command,
               {"nmt explain beam \"저는 책을 읽어요.\" -m models/mine",
                "nmt explain beam \"저는 책을 읽어요.\" -b 5 -m models/mine -o beam.html"});
}

void add_pieces_options(CLI::App& command, ExplainArguments& arguments) {
  command.add_option("words", arguments.words, "Up to 32 words")->type_name("WORD")->required();
  add_model(command, arguments.request.model_dir)->required();
  command.add_flag("--target", arguments.request.target,
                   "Use the target vocabulary [the source vocabulary]");
  set_examples(command, {"nmt explain pieces 책을 읽었어요 -m models/mine",
                         "nmt explain pieces reading --target -m models/mine -o pieces.html"});
}

void add_gradient_options(CLI::App& command, ExplainArguments& arguments) {
  auto& request = arguments.request;
  request.example = true;  // unless a model is given, which needs a sentence
  auto* sentence = add_sentence(command, arguments, "Sentence of up to 64 tokens, in quotes");
  auto* translation = command.add_option("--translation", request.translation,
                                         "Translation whose loss is explained");
  auto* model =
      add_model(command, request.model_dir, "Explain this trained model [a small example]");
  translation->type_name("SENTENCE");
  sentence->needs(model);
  translation->needs(model);
  model->needs(sentence)->needs(translation);
  set_examples(command, {"nmt explain gradient",
                         "nmt explain gradient \"저는 책을 읽어요.\" --translation \"I read a "
                         "book.\" -m models/mine"});
}

const Subject kSubjects[] = {
    {"attention", "Explain attention on a sentence: query, key, value and every number",
     add_attention_options, explain_attention, TranslationEngine::kAuto},
    {"gru", "Explain a GRU reading a sentence: its gates and what its state remembers",
     add_gru_options, explain_gru},
    {"omission", "Show what leaving out each source word costs, compared with attention",
     add_omission_options, explain_omission, TranslationEngine::kAuto},
    {"beam", "Show the beam search for a translation: what it considered, kept and cut off",
     add_beam_options, explain_beam, TranslationEngine::kAuto},
    {"pieces", "Show how a model's vocabulary splits words into pieces, merge by merge",
     add_pieces_options, explain_pieces},
    {"gradient", "Explain back-propagation and check each derivative by finite differences",
     add_gradient_options, explain_gradient, TranslationEngine::kPlain}};

}  // namespace

void define_explain_command(CLI::App& explain, CommandCall& call) {
  explain.require_subcommand(1);
  for (const auto& subject : kSubjects) {
    auto* command = explain.add_subcommand(subject.name, subject.meaning);
    const auto arguments = std::make_shared<ExplainArguments>();
    subject.add_options(*command, *arguments);
    add_output(*command, *arguments);
    command->callback([arguments, &subject, &call] {
      const auto& model = arguments->request.model_dir;
      if (subject.engine && !model.empty()) {
        call.translators = {{{model}}};
        call.translators.front().engine = *subject.engine;
      }
      call.run = [arguments, &subject] { run(*arguments, subject); };
    });
  }
}

}  // namespace nmt
