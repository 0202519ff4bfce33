// nmt-bench, which `nmt bench` hands over to. Not installed.

#include "benchmarks/bench_command.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  return nmt::run_program(argc, argv,
                          [](CLI::App& app, nmt::CommandCall&) { nmt::add_benchmarks(app); });
}
