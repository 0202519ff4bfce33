#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "corpus_check/data_check.h"
#include "errors/log.h"

namespace nmt {
namespace {

void add_corpus_options(CLI::App& command, InspectionRequest& request) {
  command
      .add_option("-s,--source", request.corpus.source,
                  "Source side, one sentence per line; .gz too")
      ->required();
  command.add_option("-t,--target", request.corpus.target, "Target side, line by line")->required();
  command.add_option("--held-out", request.held_out,
                     "Validation and test texts, either side; pairs in them are dropped");
  command.add_option("--max-words", request.max_words, "Maximum words on a side")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  command.add_option(
      "--source-tokenizer", request.source_tokenizer,
      "SentencePiece model of the source; with --target-tokenizer tells sides apart");
  command.add_option("--target-tokenizer", request.target_tokenizer,
                     "SentencePiece model of the target; data check measures both's coverage");
  request.progress = [](int64_t lines) {
    constexpr int64_t kInterval = 1000000;
    if (lines % kInterval == 0) log_info("{} lines read", lines);
  };
}

/// What else may stand for issues, then their names.
std::vector<std::string> issue_names(std::vector<std::string> names) {
  for (size_t i = 0; i < kNumIssues; ++i) names.emplace_back(issue_name(static_cast<Issue>(i)));
  return names;
}

void add_check(CLI::App& data) {
  auto request = std::make_shared<DataCheckRequest>();
  auto json = std::make_shared<bool>(false);
  auto fail_on = std::make_shared<std::vector<std::string>>();
  auto* command =
      data.add_subcommand("check", "Report a parallel corpus's problems and the cost of training");
  add_corpus_options(*command, request->inspection);
  command->add_option("--config", request->config,
                      "Training settings for the estimate, as for nmt train");
  command
      ->add_option("--fail-on", *fail_on,
                   "Issues that set exit code 1 if found, as reported; any: all of them")
      ->type_name(choice_type("ISSUE", issue_names({"any"})));
  command->add_flag("--json", *json, "Print one JSON object");
  set_examples(
      *command,
      {"nmt data check -s train.ko -t train.en",
       "nmt data check -s train.ko -t train.en --held-out test.ko test.en --fail-on overlap"});
  command->callback([request, json, fail_on] {
    const auto issues = parse_issues(*fail_on);
    const auto report = check_data(*request);
    std::cout << (*json ? to_json(report) : to_text(report)) << std::flush;
    require_none(report, issues);
  });
}

void add_clean(CLI::App& data) {
  auto request = std::make_shared<DataCleaningRequest>();
  auto keep = std::make_shared<std::vector<std::string>>();
  auto* command =
      data.add_subcommand("clean", "Write the good pairs, and list what was dropped and why");
  add_corpus_options(*command, request->inspection);
  command->add_option("--output-source", request->output_source, "File for the source side kept")
      ->required();
  command->add_option("--output-target", request->output_target, "File for the target side kept")
      ->required();
  command->add_option("--dropped", request->dropped,
                      "File for dropped pairs: line, issue, source, target; tab-separated");
  command->add_option("--keep", *keep, "Issues to ignore, as nmt data check names them")
      ->type_name(choice_type("ISSUE", issue_names({})));
  set_examples(*command,
               {"nmt data clean -s a.ko -t a.en --output-source clean.ko --output-target clean.en",
                "nmt data clean -s a.ko -t a.en --output-source c.ko --output-target c.en "
                "--dropped bad.tsv"});
  command->callback([request, keep] {
    request->keep = parse_issues(*keep);
    std::cout << clean_data(*request);
  });
}

}  // namespace

void add_data_command(CLI::App& app) {
  auto* data = app.add_subcommand("data", "Check and clean a parallel corpus");
  data->require_subcommand(1);
  add_check(*data);
  add_clean(*data);
}

}  // namespace nmt
