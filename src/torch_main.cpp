// nmt-torch links everything; nmt starts it for whatever needs LibTorch.

#include <cstdio>
#include <cstdlib>

#include "cli/commands.h"
#include "cli/program.h"
#include "explain/model_gradient.h"
#include "translate/engine.h"

int main(int argc, char** argv) {
  nmt::set_plain_engine_factory(nmt::make_linked_plain_engine);
  nmt::set_gradient_measure(nmt::measure_gradients);
  const int exit_code = nmt::run_program(argc, argv, nmt::add_all_commands);
  // Nothing of ours is left to be destroyed; LibTorch would take a tenth of a second for itself.
  std::fflush(nullptr);
  std::quick_exit(exit_code);
}
