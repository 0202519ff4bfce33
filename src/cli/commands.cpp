#include "cli/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "cli/common_options.h"

namespace nmt {
namespace {

struct ListedCommand {
  const char* name;
  const char* meaning;
  DefineCommand define = nullptr;  // null: always needs LibTorch
};

// In the order of the help.
constexpr ListedCommand kCommands[] = {
    {"train", "Train a translator from two text files; rerun the command to resume"},
    {"launch", "Train one model with several processes on this machine", define_launch_command},
    {"adapt", "Fine-tune a copy of a model on a few corrections"},
    {"translate", "Translate a file, or standard input, line by line", define_translate_command},
    {"interactive", "Translate sentences as you type them, with history and commands (:help)",
     define_interactive_command},
    {"serve", "Serve translations over HTTP: web page, LibreTranslate API and DeepL API",
     define_serve_command},
    {"score", "Print the natural-log probability of each target given its source",
     define_score_command},
    {"align", "Align the words of given pairs by attention", define_align_command},
    {"lm", "Train and score language models, for use with `--lm`"},
    {"evaluate", "Compute BLEU, chrF2 and TER of translations, or of a model on a test set",
     define_evaluate_command},
    {"data", "Check, clean, convert, split and merge parallel corpora", define_data_command},
    {"compare", "Compare translators: scores, significance, and where they differ",
     define_compare_command},
    {"report", "Write an HTML report of a training run and of the model's errors",
     define_report_command},
    {"explain", "Explain what a model computes, step by step", define_explain_command},
    {"vocab", "Train a SentencePiece vocabulary, or inspect one", define_vocab_command},
    {"shortlist", "Learn which target tokens may translate each source token, for --shortlist",
     define_shortlist_command},
    {"export", "Export a model: weights, or a TorchScript program"},
    {"import", "Create a model directory from weights trained elsewhere"},
    {"pack", "Pack a model into one file"},
    {"unpack", "Unpack a model into a directory"},
    {"average", "Average the weights of several models or checkpoints into one model"},
    {"calibrate", "Calibrate the confidence that a model reports"},
    {"states", "Write the hidden states of a model for analysis (safetensors)"},
    {"info", "Describe a model and this build of nmt"}};

}  // namespace

bool always_needs_torch(const std::string& command) {
  return std::any_of(std::begin(kCommands), std::end(kCommands), [&](const ListedCommand& listed) {
    return listed.name == command && listed.define == nullptr;
  });
}

void add_commands(CLI::App& app, CommandCall& call, const TorchCommands& torch_commands) {
  for (const auto& listed : kCommands) {
    auto* command = app.add_subcommand(listed.name, listed.meaning);
    const auto torch = torch_commands.find(listed.name);
    const auto define = torch == torch_commands.end() ? listed.define : torch->second;
    if (define != nullptr) define(*command, call);
  }
  // Last: commands that are added later inherit it.
  set_examples(app, {"nmt train --train-sets a.de a.en -m models/de-en",
                     "nmt translate -m models/de-en -i new.de -o new.en"});
}

void add_light_commands(CLI::App& app, CommandCall& call) { add_commands(app, call, {}); }

}  // namespace nmt
