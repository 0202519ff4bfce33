#pragma once

#include <functional>
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
void add_train_command(CLI::App& app);
void add_launch_command(CLI::App& app);
void add_adapt_command(CLI::App& app);
void add_translate_command(CLI::App& app, CommandCall& call);
void add_interactive_command(CLI::App& app, CommandCall& call);
void add_serve_command(CLI::App& app, CommandCall& call);
void add_score_command(CLI::App& app);
void add_lm_command(CLI::App& app);
void add_evaluate_command(CLI::App& app, CommandCall& call);
void add_data_command(CLI::App& app);
void add_compare_command(CLI::App& app, CommandCall& call);
void add_report_command(CLI::App& app, CommandCall& call);
void add_vocab_command(CLI::App& app);
void add_explain_command(CLI::App& app, CommandCall& call);
void add_export_command(CLI::App& app);
void add_import_command(CLI::App& app);
void add_pack_command(CLI::App& app);
void add_unpack_command(CLI::App& app);
void add_average_command(CLI::App& app);
void add_info_command(CLI::App& app);

/// What needs no LibTorch, or not always.
void add_light_commands(CLI::App& app, CommandCall& call);
void add_all_commands(CLI::App& app, CommandCall& call);

}  // namespace nmt
