#include "cli/commands.h"

#include <CLI/CLI.hpp>

#include "cli/help.h"

namespace nmt {

void add_commands(CLI::App& app, CommandCall& call, const TorchCommands& torch_commands) {
  const auto add_torch_command = [&](const char* name, const char* meaning) {
    auto* command = app.add_subcommand(name, meaning);
    const auto found = torch_commands.find(name);
    if (found != torch_commands.end()) found->second(*command);
  };
  add_torch_command("train", "Train a translator from two text files; rerun the command to resume");
  add_launch_command(app);
  add_torch_command("adapt", "Fine-tune a copy of a model on a few corrections");
  add_translate_command(app, call);
  add_interactive_command(app, call);
  add_serve_command(app, call);
  add_score_command(app, call);
  add_align_command(app, call);
  add_torch_command("lm", "Train and score language models, for use with `--lm`");
  add_evaluate_command(app, call);
  add_data_command(app);
  add_compare_command(app, call);
  add_report_command(app, call);
  add_explain_command(app, call);
  add_vocab_command(app);
  add_shortlist_command(app);
  add_torch_command("export", "Export a model: weights, or a TorchScript program");
  add_torch_command("import", "Create a model directory from weights trained elsewhere");
  add_torch_command("pack", "Pack a model into one file");
  add_torch_command("unpack", "Unpack a model into a directory");
  add_torch_command("average",
                    "Average the weights of several models or checkpoints into one model");
  add_torch_command("calibrate", "Calibrate the confidence that a model reports");
  add_torch_command("states", "Write the hidden states of a model for analysis (safetensors)");
  add_torch_command("info", "Describe a model and this build of nmt");
  // Last: commands that are added later inherit it.
  set_examples(app, {"nmt train --train-sets a.de a.en -m models/de-en",
                     "nmt translate -m models/de-en -i new.de -o new.en"});
}

void add_light_commands(CLI::App& app, CommandCall& call) { add_commands(app, call, {}); }

}  // namespace nmt
