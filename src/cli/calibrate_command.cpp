#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/help.h"
#include "train/calibrate.h"

namespace nmt {

void define_calibrate_command(CLI::App& command) {
  auto request = std::make_shared<CalibrateRequest>();
  command.add_option("-m,--model-dir", request->model, "Model directory")
      ->required()
      ->type_name("MODEL");
  auto* source = command.add_option("-s,--source", request->source,
                                    "Source sentences, one per line; default: validation text");
  auto* reference = command.add_option("-r,--reference", request->reference,
                                       "Their reference translations, one per line");
  source->needs(reference);
  reference->needs(source);
  command.add_option("--device", request->device, "Device: cpu, cuda or cuda:N")
      ->capture_default_str()
      ->type_name("DEVICE");
  command.add_option("--threads", request->threads, "CPU threads; 0 uses one per core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  set_examples(command, {"nmt calibrate -m models/mine",
                         "nmt calibrate -m models/mine -s valid.ko -r valid.en"});
  command.callback([request] { std::cout << calibrate_model(*request) << '\n'; });
}

}  // namespace nmt
