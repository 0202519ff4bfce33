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

/// What a command line asks for.
struct CommandCall {
  std::string name;                            // of the command
  std::vector<TranslatorOptions> translators;  // that it opens
  std::function<void()> run;                   // does it
};

// Each adds one subcommand: its options, their help, and the call that it makes. Those that open
// translators describe that call, so that it can be handed over before it is made.
void add_launch_command(CLI::App& app);
void add_translate_command(CLI::App& app, CommandCall& call);
void add_interactive_command(CLI::App& app, CommandCall& call);
void add_serve_command(CLI::App& app, CommandCall& call);
void add_score_command(CLI::App& app, CommandCall& call);
void add_align_command(CLI::App& app, CommandCall& call);
void add_evaluate_command(CLI::App& app, CommandCall& call);
void add_data_command(CLI::App& app);
void add_compare_command(CLI::App& app, CommandCall& call);
void add_report_command(CLI::App& app, CommandCall& call);
void add_vocab_command(CLI::App& app);
void add_shortlist_command(CLI::App& app);
void add_explain_command(CLI::App& app, CommandCall& call);

// The same for commands that always need LibTorch; `command` has its name.
void define_train_command(CLI::App& command);
void define_adapt_command(CLI::App& command);
void define_lm_command(CLI::App& command);
void define_export_command(CLI::App& command);
void define_import_command(CLI::App& command);
void define_pack_command(CLI::App& command);
void define_unpack_command(CLI::App& command);
void define_average_command(CLI::App& command);
void define_calibrate_command(CLI::App& command);
void define_states_command(CLI::App& command);
void define_info_command(CLI::App& command);

/// How commands that always need LibTorch are defined, by their names.
using TorchCommands = std::map<std::string, void (*)(CLI::App& command)>;

/// Adds all commands. Those that `torch_commands` lacks can only be listed.
void add_commands(CLI::App& app, CommandCall& call, const TorchCommands& torch_commands);

/// Of nmt and of nmt-torch.
void add_light_commands(CLI::App& app, CommandCall& call);
void add_all_commands(CLI::App& app, CommandCall& call);

}  // namespace nmt
