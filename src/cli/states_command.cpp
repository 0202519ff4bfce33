#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "files/file.h"
#include "states/write_states.h"

namespace nmt {

void define_states_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<StatesRequest>();
  add_model(command, request->model_dir)->required();
  command.add_option("-s,--source", request->source, "Source sentences, one per line")->required();
  command.add_option("-t,--target", request->target,
                     "Their translations, one per line [the model's own, lines unsplit]");
  command.add_option("-o,--output", request->output, "Safetensors file to write")->required();
  command.add_flag("--overwrite", request->overwrite, "Replace an existing file");
  set_examples(command, {"nmt states -m models/mine -s test.ko -o states.safetensors",
                         "nmt states -m models/mine -s test.ko -t test.en -o states.safetensors"});
  command.callback([request] {
    require_one_standard_input({{"--source", request->source}, {"--target", request->target}});
    require_not_input({request->output}, {request->source, request->target});
    require_not_model({request->output}, {request->model_dir});
    std::cout << write_states(*request) << '\n';
  });
}

}  // namespace nmt
