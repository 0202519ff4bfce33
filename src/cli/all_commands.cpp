#include "cli/commands.h"

namespace nmt {

void add_all_commands(CLI::App& app, CommandCall& call) {
  add_commands(app, call,
               {{"train", define_train_command},
                {"adapt", define_adapt_command},
                {"lm", define_lm_command},
                {"export", define_export_command},
                {"import", define_import_command},
                {"pack", define_pack_command},
                {"unpack", define_unpack_command},
                {"average", define_average_command},
                {"calibrate", define_calibrate_command},
                {"states", define_states_command},
                {"info", define_info_command}});
}

}  // namespace nmt
