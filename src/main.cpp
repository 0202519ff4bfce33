#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) { return nmt::run_program(argc, argv, nmt::add_all_commands); }
