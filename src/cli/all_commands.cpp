#include "cli/commands.h"

namespace nmt {

void add_all_commands(CLI::App& app) {
  add_train_command(app);
  add_launch_command(app);
  add_adapt_command(app);
  add_translate_command(app);
  add_interactive_command(app);
  add_serve_command(app);
  add_score_command(app);
  add_lm_command(app);
  add_evaluate_command(app);
  add_data_command(app);
  add_compare_command(app);
  add_report_command(app);
  add_explain_command(app);
  add_vocab_command(app);
  add_export_command(app);
  add_import_command(app);
  add_pack_command(app);
  add_unpack_command(app);
  add_average_command(app);
  add_info_command(app);
  add_bench_command(app);
}

}  // namespace nmt
