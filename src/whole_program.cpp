#include "cli/commands.h"
#include "cli/program.h"

/// What src/quick_main.cpp calls once LibTorch is needed.
extern "C" __attribute__((visibility("default"))) int nmt_whole_program(int argc, char** argv) {
  return nmt::run_program(argc, argv, nmt::add_all_commands);
}
