// nmt-torch links everything; nmt starts it for whatever needs LibTorch.

#include "cli/commands.h"
#include "cli/program.h"
#include "translate/network_engine.h"

int main(int argc, char** argv) {
  nmt::set_plain_engine_factory(nmt::make_network_engine);
  return nmt::run_program(argc, argv, nmt::add_all_commands);
}
