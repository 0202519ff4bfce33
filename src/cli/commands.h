#pragma once

#include <CLI/CLI.hpp>

namespace nmt {

// Each adds one subcommand: its options, their help, and the call that it makes.
void add_train_command(CLI::App& app);
void add_launch_command(CLI::App& app);
void add_adapt_command(CLI::App& app);
void add_translate_command(CLI::App& app);
void add_interactive_command(CLI::App& app);
void add_serve_command(CLI::App& app);
void add_score_command(CLI::App& app);
void add_lm_command(CLI::App& app);
void add_evaluate_command(CLI::App& app);
void add_data_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_vocab_command(CLI::App& app);
void add_explain_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_import_command(CLI::App& app);
void add_pack_command(CLI::App& app);
void add_unpack_command(CLI::App& app);
void add_average_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_bench_command(CLI::App& app);

void add_all_commands(CLI::App& app);

}  // namespace nmt
