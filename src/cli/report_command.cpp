#include <memory>
#include <string>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "files/file.h"
#include "files/output_file.h"
#include "reports/model_report.h"

namespace nmt {
namespace {

struct ReportArguments {
  ReportRequest request;
  std::string output;
};

void run(ReportArguments& arguments) {
  auto& request = arguments.request;
  require_one_standard_input({{"--source", request.source}, {"--reference", request.reference}});
  require_not_input({arguments.output}, {request.source, request.reference});
  require_not_model({arguments.output}, {request.model_dir});
  OutputFile output(arguments.output);  // fails before the work, not after it
  output.write(report_page(describe_run(request)));
  output.finish();
}

}  // namespace

void define_report_command(CLI::App& command, CommandCall& call) {
  auto arguments = std::make_shared<ReportArguments>();
  auto& request = arguments->request;
  command.add_option("-m,--model-dir,model", request.model_dir, "Model directory of nmt train")
      ->type_name("DIR")
      ->required();
  command.add_option("-o,--output", arguments->output, "HTML file to write")->required();
  auto* source = command.add_option("-s,--source", request.source,
                                    "Text for the model to translate [the validation text]");
  auto* reference =
      command.add_option("-r,--reference", request.reference, "Reference translations of --source");
  need_each_other(source, reference);
  add_with_default(command, "--sentences", request.max_sentences,
                   "Maximum lines of --source to translate; 0 is all")
      ->check(CLI::Range(0, 100000000));
  add_compute_flags(command, request.translator);
  set_examples(command, {"nmt report models/mine -o report.html",
                         "nmt report models/mine -s test.ko -r test.en -o report.html"});
  command.callback([arguments, &request, &call] {
    request.translator.model_dirs = {request.model_dir};
    call.translators = {request.translator};
    call.run = [arguments] { run(*arguments); };
  });
}

}  // namespace nmt
