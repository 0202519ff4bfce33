#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "export/export.h"

namespace nmt {

void add_export_command(CLI::App& app) {
  auto request = std::make_shared<ExportRequest>();
  auto* command = app.add_subcommand(
      "export", "Write a model for other programs: weights, or a TorchScript program");
  command->add_option("-m,--model-dir", request->model_dir, "Folder or packed file of the model")
      ->required();
  command->add_option("--to", request->format, describe_export_formats())->capture_default_str();
  command->add_option("-o,--output", request->output, "File to write")->required();
  command->add_flag("--overwrite", request->overwrite, "Replace the file if it is there");
  command->add_flag(
      "--verify", request->verify,
      "Load the file again and compare log-probabilities; print the largest difference");
  command->add_option("--sample", request->sample,
                      "Source sentences for --verify, one a line; without it, made-up ones");
  command->callback([request] { std::cout << export_model(*request) << '\n'; });
}

}  // namespace nmt
