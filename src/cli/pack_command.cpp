#include <iostream>
#include <memory>

#include "checkpoint/pack.h"
#include "cli/commands.h"

namespace nmt {

void add_pack_command(CLI::App& app) {
  auto request = std::make_shared<PackRequest>();
  auto* command = app.add_subcommand("pack", "Put a whole model into one file, to copy and keep");
  command->add_option("model", request->model, "Folder of the model")->required()->type_name("DIR");
  command->add_option("-o,--output", request->output, "File to write, for example de-en.nmt")
      ->required();
  command
      ->add_option("--precision", request->precision,
                   "How weights are stored: f32 (as they are), f16 (half the size) or int8 (a "
                   "quarter)")
      ->capture_default_str();
  command->add_flag("--overwrite", request->overwrite, "Replace the file if it is there");
  command->callback([request] { std::cout << pack_model(*request) << '\n'; });
}

void add_unpack_command(CLI::App& app) {
  auto request = std::make_shared<UnpackRequest>();
  auto* command = app.add_subcommand("unpack", "Make a model folder of a packed file again");
  command->add_option("model", request->model, "File of nmt pack")->required()->type_name("FILE");
  command->add_option("-o,--output", request->output, "Folder to make")->required();
  command->add_flag("--overwrite", request->overwrite, "Replace the model in that folder");
  command->callback([request] { std::cout << unpack_model(*request) << '\n'; });
}

}  // namespace nmt
