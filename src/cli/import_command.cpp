#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "export/import.h"

namespace nmt {

void add_import_command(CLI::App& app) {
  auto request = std::make_shared<ImportRequest>();
  auto* command =
      app.add_subcommand("import", "Make a model directory of weights trained elsewhere");
  command
      ->add_option("weights", request->weights,
                   "safetensors file with the names of docs/model-format.md")
      ->required();
  command->add_option("-c,--config", request->config,
                      "YAML file whose model section describes the network; not needed for a file "
                      "that nmt export wrote");
  command
      ->add_option("--source-tokenizer", request->source_tokenizer,
                   "SentencePiece model of the source language")
      ->required();
  command
      ->add_option("--target-tokenizer", request->target_tokenizer,
                   "SentencePiece model of the target language; may be the same file")
      ->required();
  command->add_option("-o,--output", request->model_dir, "Folder of the model to make")->required();
  command->add_flag("--overwrite", request->overwrite, "Replace the model that is there");
  command->callback([request] { std::cout << import_model(*request) << '\n'; });
}

}  // namespace nmt
