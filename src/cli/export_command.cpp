#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "export/export.h"
#include "files/file.h"

namespace nmt {

void define_export_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<ExportRequest>();
  add_model(command, request->model_dir)->required();
  add_with_default(command, "--to", request->format, describe_export_formats())
      ->type_name(choice_type("FORMAT", export_format_names()));
  command.add_option("-o,--output", request->output, "File to write")->required();
  command.add_flag("--overwrite", request->overwrite, "Replace an existing file");
  auto* verify = command.add_flag("--verify", request->verify,
                                  "Compare the file's log-probabilities with the model's");
  command
      .add_option("--sample", request->sample,
                  "Source sentences for --verify, one per line [generated]")
      ->needs(verify);
  set_examples(command, {"nmt export -m models/mine -o mine.safetensors",
                         "nmt export -m models/mine --to torchscript -o mine.pt --verify"});
  command.callback([request] {
    require_not_model({request->output}, {request->model_dir});
    require_not_input({request->output}, {request->sample});
    std::cout << export_model(*request) << '\n';
  });
}

}  // namespace nmt
