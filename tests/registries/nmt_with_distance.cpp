// nmt-torch with an attention of one's own: src/torch_main.cpp with one line more.

#include "cli/commands.h"
#include "cli/program.h"
#include "explain/model_gradient.h"
#include "registries/distance_attention.h"
#include "translate/engine.h"

int main(int argc, char** argv) {
  nmt::distance_attention();  // registers itself
  nmt::set_plain_engine_factory(nmt::make_linked_plain_engine);
  nmt::set_gradient_measure(nmt::measure_gradients);
  return nmt::run_program(argc, argv, nmt::add_all_commands);
}
