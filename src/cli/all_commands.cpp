#include "cli/commands.h"

namespace nmt {

void add_all_commands(CLI::App& app, CommandCall& call) {
  add_train_command(app);
  add_launch_command(app);
  add_adapt_command(app);
  add_translate_command(app, call);
  add_interactive_command(app, call);
  add_serve_command(app, call);
  add_score_command(app);
  add_lm_command(app);
  add_evaluate_command(app, call);
  add_data_command(app);
  add_compare_command(app, call);
  add_report_command(app, call);
  add_explain_command(app, call);
  add_vocab_command(app);
  add_export_command(app);
  add_import_command(app);
  add_pack_command(app);
  add_unpack_command(app);
  add_average_command(app);
  add_info_command(app);
}

}  // namespace nmt
