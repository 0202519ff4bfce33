#include "cli/commands.h"

namespace nmt {

void add_light_commands(CLI::App& app, CommandCall& call) {
  add_launch_command(app);
  add_translate_command(app, call);
  add_interactive_command(app, call);
  add_compare_command(app, call);
  add_data_command(app);
  add_evaluate_command(app, call);
  add_explain_command(app, call);
  add_report_command(app, call);
  add_serve_command(app, call);
  add_vocab_command(app);
}

}  // namespace nmt
