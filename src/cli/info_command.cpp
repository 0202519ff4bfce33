#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "info/build_info.h"
#include "info/info_report.h"

namespace nmt {

void define_info_command(CLI::App& command, CommandCall& /*call*/) {
  auto model = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command
      .add_option("-m,--model-dir,model", *model,
                  "Model directory or packed model; its checksums are verified")
      ->type_name("MODEL");
  command.add_flag("--json", *json, "Print one JSON object");
  set_examples(command, {"nmt info models/mine", "nmt info --json"});
  command.callback([model, json] {
    std::cout << info_report(*model, *json);
    if (!*json && !blas_warning().empty()) std::cerr << "warning: " << blas_warning() << '\n';
  });
}

}  // namespace nmt
