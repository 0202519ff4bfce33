#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "export/import.h"

namespace nmt {

void define_import_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<ImportRequest>();
  command
      .add_option("weights", request->weights,
                  "safetensors file (docs/model-format.md), or model of OpenNMT-py or simple-nmt")
      ->required();
  command.add_option("-c,--config", request->config,
                     "YAML file with the model settings; not needed for files of nmt export");
  command.add_option("--source-tokenizer", request->source_tokenizer,
                     "SentencePiece model of the source; only for safetensors");
  command.add_option("--target-tokenizer", request->target_tokenizer,
                     "SentencePiece model of the target; may be the same file");
  add_output_model(command, request->model_dir, request->overwrite, "Model directory to create");
  set_examples(command, {"nmt import mine.safetensors --source-tokenizer a.model "
                         "--target-tokenizer b.model -o models/mine",
                         "nmt import model_step_100000.pt -o models/deen"});
  command.callback([request] { std::cout << import_model(*request) << '\n'; });
}

}  // namespace nmt
