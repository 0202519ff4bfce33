#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "checkpoint/model_directory.h"
#include "checkpoint/pack.h"
#include "cli/commands.h"
#include "cli/common_options.h"

namespace nmt {

void define_pack_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<PackRequest>();
  command.add_option("-m,--model-dir,model", request->model, "Model directory")
      ->required()
      ->type_name("DIR");
  command.add_option("-o,--output", request->output, "File to write, e.g. de-en.nmt")->required();
  add_with_default(command, "--precision", request->precision,
                   "Stored weights: f32 (exact), f16 (half the size) or int8 (a quarter)")
      ->type_name(choice_type("NAME", {"f32", "f16", "int8"}));
  command.add_flag("--overwrite", request->overwrite, "Replace an existing file");
  set_examples(command, {"nmt pack models/mine -o mine.nmt",
                         "nmt pack models/mine --precision int8 -o mine.nmt"});
  command.callback([request] {
    require_not_model({request->output}, {request->model});
    std::cout << pack_model(*request) << '\n';
  });
}

void define_unpack_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<UnpackRequest>();
  command.add_option("-m,--model-dir,model", request->model, "Packed model")->required();
  add_output_model(command, request->output, request->overwrite, "Directory to create");
  set_examples(command, {"nmt unpack mine.nmt -o models/mine",
                         "nmt unpack mine.nmt -o models/mine --overwrite"});
  command.callback([request] { std::cout << unpack_model(*request) << '\n'; });
}

}  // namespace nmt
