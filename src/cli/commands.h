#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace CLI {
class App;
}

namespace nmt {

/// The command that a command line requests, described but not yet run.
struct CommandCall {
  std::string name;                            // the command, e.g. "translate"
  std::vector<TranslatorOptions> translators;  // the translators that it will open
  std::function<void()> run;                   // executes the command
};

/// Adds the options of a command, and what it runs. Commands that open translators fill in `call`
/// instead of running at once, so that run_program() can hand it over to another program first.
using DefineCommand = void (*)(CLI::App& command, CommandCall& call);

void define_launch_command(CLI::App& command, CommandCall& call);
void define_translate_command(CLI::App& command, CommandCall& call);
void define_interactive_command(CLI::App& command, CommandCall& call);
void define_serve_command(CLI::App& command, CommandCall& call);
void define_score_command(CLI::App& command, CommandCall& call);
void define_align_command(CLI::App& command, CommandCall& call);
void define_evaluate_command(CLI::App& command, CommandCall& call);
void define_data_command(CLI::App& command, CommandCall& call);
void define_compare_command(CLI::App& command, CommandCall& call);
void define_report_command(CLI::App& command, CommandCall& call);
void define_vocab_command(CLI::App& command, CommandCall& call);
void define_shortlist_command(CLI::App& command, CommandCall& call);
void define_explain_command(CLI::App& command, CommandCall& call);

// These always need LibTorch.
void define_train_command(CLI::App& command, CommandCall& call);
void define_adapt_command(CLI::App& command, CommandCall& call);
void define_lm_command(CLI::App& command, CommandCall& call);
void define_export_command(CLI::App& command, CommandCall& call);
void define_import_command(CLI::App& command, CommandCall& call);
void define_pack_command(CLI::App& command, CommandCall& call);
void define_unpack_command(CLI::App& command, CommandCall& call);
void define_average_command(CLI::App& command, CommandCall& call);
void define_calibrate_command(CLI::App& command, CommandCall& call);
void define_states_command(CLI::App& command, CommandCall& call);
void define_info_command(CLI::App& command, CommandCall& call);

/// The functions that define the commands which always need LibTorch, by command name.
using TorchCommands = std::map<std::string, DefineCommand>;

bool always_needs_torch(const std::string& command);

/// Adds all commands. Those that always need LibTorch and are not in `torch_commands` only appear
/// in the help.
void add_commands(CLI::App& app, CommandCall& call, const TorchCommands& torch_commands);

/// The commands of nmt and of nmt-torch.
void add_light_commands(CLI::App& app, CommandCall& call);
void add_all_commands(CLI::App& app, CommandCall& call);

}  // namespace nmt
