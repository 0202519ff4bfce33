#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checkpoint/model_directory.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "cli/translation_flags.h"
#include "compare/compare_systems.h"
#include "compare/comparison_page.h"
#include "files/file.h"
#include "files/output_file.h"

namespace nmt {
namespace {

struct CompareArguments {
  std::string a;
  std::string b;
  std::vector<std::string> further;
  ComparisonRequest request;
  bool json = false;
  std::string html;
};

void run(const CompareArguments& arguments, const CLI::App& command) {
  const auto& request = arguments.request;
  std::vector<std::pair<std::string, std::filesystem::path>> inputs = {
      {"A", arguments.a},
      {"B", arguments.b},
      {"--source", request.source},
      {"--reference", request.reference},
      {"--train", request.training_text}};
  for (const auto& system : arguments.further) inputs.emplace_back("MORE", system);
  require_one_standard_input(inputs);
  require_two_outputs("-", arguments.html);  // the comparison goes there
  for (const auto& [name, input] : inputs) require_not_model({arguments.html}, {input});
  if (translators_of(request).empty()) {
    for (const auto* option : command.get_options()) {
      if (option->get_group() != kComputeGroup) continue;
      refuse_option(command, option->get_name(), "only models use it, and A and B are files");
    }
  }
  std::optional<OutputFile> page;  // created first: comparing takes time
  if (!arguments.html.empty()) page.emplace(arguments.html);
  const auto compared = compare_systems(request);
  if (page) {
    page->write(comparison_page(compared, request.options));
    page->finish();
  }
  std::cout << (arguments.json ? to_json(compared, request.options)
                               : to_text(compared, request.options));
}

}  // namespace

void define_compare_command(CLI::App& command, CommandCall& call) {
  auto arguments = std::make_shared<CompareArguments>();
  auto& request = arguments->request;
  command.add_option("A", arguments->a, "Model, or file of translations")
      ->type_name("")
      ->required();
  command.add_option("B", arguments->b, "Model, or file of translations, to compare with A")
      ->type_name("")
      ->required();
  command.add_option("MORE", arguments->further, "Further systems, each compared with A")
      ->type_name("");
  command
      .add_option("-r,--reference", request.reference,
                  "Reference translations, one per line; one file")
      ->required();
  command.add_option("-s,--source", request.source,
                     "Source text, which models translate; only shown if A and B are files");
  command.add_option("--train", request.training_text,
                     "Target side of the training text: also compare rare and common words");
  add_with_default(command, "--samples", request.options.num_samples, "Paired bootstrap resamples")
      ->check(CLI::Range(1, 1000000));
  add_with_default(command, "--seed", request.options.seed, "Seed of the bootstrap")
      ->check(check_seed);
  add_with_default(command, "--sentences", request.options.num_sentences,
                   "Sentences shown per side, largest chrF2 difference first")
      ->check(CLI::Range(0, 1000000));
  add_compute_flags(command, request.translator);
  command.add_flag("--json", arguments->json, "Print one JSON object");
  command.add_option("--html", arguments->html, "Also write the comparison as an HTML page");
  set_examples(command, {"nmt compare models/a models/b -s test.ko -r test.en",
                         "nmt compare a.en b.en c.en -r test.en --html compare.html"});
  command.callback([arguments, &command, &call] {
    auto& systems = arguments->request.systems;
    systems = {arguments->a, arguments->b};
    systems.insert(systems.end(), arguments->further.begin(), arguments->further.end());
    call.translators = translators_of(arguments->request);
    call.run = [arguments, &command] { run(*arguments, command); };
  });
}

}  // namespace nmt
