#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "train/calibrate.h"

namespace nmt {

void define_calibrate_command(CLI::App& command, CommandCall& /*call*/) {
  auto request = std::make_shared<CalibrateRequest>();
  add_model(command, request->model, "Model directory")->required();
  auto* source = command.add_option("-s,--source", request->source,
                                    "Source sentences, one per line [the validation text]");
  auto* reference = command.add_option("-r,--reference", request->reference,
                                       "Their reference translations, one per line");
  need_each_other(source, reference);
  add_device(command, request->device);
  add_threads(command, request->threads);
  set_examples(command, {"nmt calibrate -m models/mine",
                         "nmt calibrate -m models/mine -s valid.ko -r valid.en"});
  command.callback([request] { std::cout << calibrate_model(*request) << '\n'; });
}

}  // namespace nmt
