#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "errors/error.h"
#include "files/output_file.h"
#include "reports/model_report.h"

namespace nmt {
namespace {

struct ReportArguments {
  std::string model_dir;
  std::string output;
  std::string source;
  std::string reference;
  int64_t max_sentences = 1000;
  ModelFlags model;
};

void run(const ReportArguments& arguments) {
  if (arguments.source.empty() != arguments.reference.empty()) {
    throw UsageError("--source and --reference: one is given and the other is not");
  }
  const auto content = describe_run({arguments.model_dir, arguments.source, arguments.reference,
                                     arguments.max_sentences, arguments.model.options()});
  OutputFile output(arguments.output);
  output.write(report_page(content));
  output.finish();
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  auto* command = app.add_subcommand(
      "report", "A page to look at: how a training went, and what the model does well and badly");
  command->add_option("model-dir", arguments->model_dir, "Folder that nmt train wrote")->required();
  command->add_option("-o,--output", arguments->output, "File for the page, report.html say")
      ->required();
  command->add_option(
      "-s,--source", arguments->source,
      "Text that the model translates for it [the validation text of the training]");
  command->add_option("-r,--reference", arguments->reference, "Right translations of it");
  command
      ->add_option("--sentences", arguments->max_sentences,
                   "How many lines of it, from the first; 0: all")
      ->check(CLI::Range(0, 100000000))
      ->capture_default_str();
  arguments->model.add_compute_flags(*command);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
