#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/option_checks.h"
#include "corpus_check/data_check.h"
#include "corpus_files/convert.h"
#include "corpus_files/merge.h"
#include "corpus_files/split.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/output_file.h"
#include "files/side_names.h"

namespace nmt {
namespace {

/// The stream for the summary: standard error if data goes to standard output.
std::ostream& summary_stream(const std::vector<std::filesystem::path>& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), is_standard_output) ? std::cerr : std::cout;
}

void add_corpus_options(CLI::App& command, InspectionRequest& request) {
  command
      .add_option("-s,--source", request.corpus.source,
                  "Source side, one sentence per line; .gz too")
      ->required();
  command.add_option("-t,--target", request.corpus.target, "Target side, line by line")->required();
  command.add_option(
      "--held-out", request.held_out,
      "Validation and test texts, either side; pairs found in them get issue in-test");
  add_with_default(command, "--max-words", request.max_words,
                   "Maximum words on a side of a good pair")
      ->check(CLI::Range(1, 1000000));
  request.progress = [](int64_t lines) {
    constexpr int64_t kInterval = 1000000;
    if (lines % kInterval == 0) log_info("{} lines read", lines);
  };
}

/// The given names, then those of all issues.
std::vector<std::string> issue_names(std::vector<std::string> names) {
  for (size_t i = 0; i < kNumIssues; ++i) names.emplace_back(issue_name(static_cast<Issue>(i)));
  return names;
}

void add_check(CLI::App& data) {
  auto request = std::make_shared<InspectionRequest>();
  auto json = std::make_shared<bool>(false);
  auto fail_on = std::make_shared<std::vector<std::string>>();
  auto* command = data.add_subcommand("check", "Report the issues of a parallel corpus");
  add_corpus_options(*command, *request);
  command
      ->add_option("--fail-on", *fail_on,
                   "Exit with code 1 if one of these issues is found; any: all issues")
      ->type_name(choice_type("ISSUE", issue_names({"any"})));
  command->add_flag("--json", *json, "Print one JSON object");
  set_examples(
      *command,
      {"nmt data check -s train.ko -t train.en",
       "nmt data check -s train.ko -t train.en --held-out test.ko test.en --fail-on in-test"});
  command->callback([request, json, fail_on] {
    const auto issues = parse_issues(*fail_on);
    const auto report = inspect_corpus(*request);
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
  command
      ->add_option("--output-source", request->output_source,
                   "File for the source side of the kept pairs")
      ->required();
  command
      ->add_option("--output-target", request->output_target,
                   "File for the target side of the kept pairs")
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
    const auto& inspection = request->inspection;
    const std::vector<std::filesystem::path> outputs = {request->output_source,
                                                        request->output_target, request->dropped};
    require_not_input(outputs, {inspection.corpus.source, inspection.corpus.target});
    require_not_input(outputs, {inspection.held_out.begin(), inspection.held_out.end()});
    request->inspection.ignored = parse_issues(*keep);
    summary_stream(outputs) << clean_data(*request);
  });
}

struct ConvertArguments {
  std::string file;  // a table or a translation memory
  TextFiles texts;
  std::vector<int> columns = {1, 2};
  bool header = false;
  std::vector<std::string> languages;  // empty: the endings of the outputs
  std::string output;
  PairOutput output_texts;
};

/// Opens the input. Throws UsageError for an option that does not apply to its kind.
std::unique_ptr<CorpusFile> open_input(const CLI::App& command, const ConvertArguments& arguments) {
  const bool is_tmx = has_ending(arguments.file, ".tmx");
  if (arguments.file.empty() || !is_tmx)
    refuse_option(command, "--languages", "only for .tmx files");
  if (arguments.file.empty() || is_tmx) {
    refuse_option(command, "--columns", "only for tab-separated files");
    refuse_option(command, "--header", "only for tab-separated files");
  }
  if (arguments.file.empty()) return open_corpus(arguments.texts);
  for (const char* ending : {".xlf", ".xliff", ".po"}) {
    if (!has_ending(arguments.file, ending)) continue;
    throw UsageError(arguments.file +
                     ": not supported; convert it to .tmx, e.g. with xliff2po and po2tmx");
  }
  if (!is_tmx) {
    const auto& columns = arguments.columns;
    return open_corpus(
        TabSeparatedFile{arguments.file, {columns[0], columns[1]}, arguments.header});
  }
  if (!arguments.languages.empty()) {
    return open_corpus(
        TranslationMemory{arguments.file, {arguments.languages[0], arguments.languages[1]}});
  }
  const auto& output = arguments.output_texts;
  const auto names = side_names(output.source, output.target);
  if (!arguments.output.empty() || !names) {
    throw UsageError("data convert: which languages of " + arguments.file +
                     "? use --languages, or outputs that end in them (train.de train.en)");
  }
  return open_corpus(TranslationMemory{arguments.file, *names});
}

void convert(const CLI::App& command, const ConvertArguments& arguments) {
  if (arguments.file.empty() == arguments.texts.source.empty()) {
    throw UsageError("data convert: use a FILE, or --source and --target");
  }
  if (arguments.output.empty() == arguments.output_texts.source.empty()) {
    throw UsageError("data convert: use --output, or --output-source and --output-target");
  }
  const auto output =
      arguments.output.empty() ? arguments.output_texts : PairOutput{arguments.output, ""};
  require_not_input({output.source, output.target},
                    {arguments.file, arguments.texts.source, arguments.texts.target});
  require_one_standard_input(
      {{"--source", arguments.texts.source}, {"--target", arguments.texts.target}});
  const auto input = open_input(command, arguments);
  summary_stream({output.source, output.target}) << convert_corpus(*input, output);
}

/// Two options that are given together or not at all.
void add_pair(CLI::App& command, const char* first, std::filesystem::path& first_value,
              const char* second, std::filesystem::path& second_value, const char* what) {
  auto* a = command.add_option(first, first_value, std::string("Source side") + what);
  auto* b = command.add_option(second, second_value, std::string("Target side") + what);
  need_each_other(a, b);
}

void add_convert(CLI::App& data) {
  auto arguments = std::make_shared<ConvertArguments>();
  auto* command = data.add_subcommand("convert", "Convert a corpus between file formats");
  command->add_option("file", arguments->file,
                      "Translation memory (.tmx), tab-separated text or .csv; .gz too");
  add_pair(*command, "-s,--source", arguments->texts.source, "-t,--target", arguments->texts.target,
           " of the corpus; .gz too");
  command
      ->add_option("--languages", arguments->languages,
                   "Source and target language of a .tmx file [the outputs' extensions]")
      ->type_name("NAME")
      ->expected(2);
  command
      ->add_option("--columns", arguments->columns, "Columns of source and target in a table [1 2]")
      ->expected(2)
      ->check(CLI::Range(1, 1000));
  command->add_flag("--header", arguments->header, "Skip the first row of a table");
  add_pair(*command, "--output-source", arguments->output_texts.source, "--output-target",
           arguments->output_texts.target, " to write; .gz compresses it");
  command->add_option("-o,--output", arguments->output,
                      "Tab-separated file to write instead; .gz compresses it");
  set_examples(*command,
               {"nmt data convert memory.tmx --output-source train.de --output-target train.en",
                "nmt data convert -s train.de -t train.en -o train.tsv.gz"});
  command->callback([arguments, command] { convert(*command, *arguments); });
}

void add_split(CLI::App& data) {
  auto request = std::make_shared<SplitRequest>();
  auto* command = data.add_subcommand(
      "split", "Split a corpus into training, validation and test text without overlap");
  command->add_option("-s,--source", request->source, "Source side, one sentence per line; .gz too")
      ->required();
  command->add_option("-t,--target", request->target, "Target side, line by line")->required();
  command->add_option("-o,--output", request->folder, "Directory for the parts")
      ->type_name("DIR")
      ->required();
  command
      ->add_option("--pairs", request->pairs,
                   "Pairs in the validation and in the test set [5 % of the corpus, up to 2,000]")
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--overwrite", request->overwrite,
                    "Replace other validation and test sets in that directory");
  set_examples(*command, {"nmt data split -s all.de -t all.en -o mine",
                          "nmt data split -s all.de -t all.en --pairs 500 -o mine"});
  command->callback([request] { std::cout << split_corpus(*request); });
}

void add_merge(CLI::App& data) {
  auto request = std::make_shared<MergeRequest>();
  auto* command = data.add_subcommand("merge", "Concatenate several corpora");
  command->add_option("-s,--source", request->sources, "Source sides, one per corpus; .gz too")
      ->required();
  command->add_option("-t,--target", request->targets, "Target sides in the same order")
      ->required();
  command->add_option("--output-source", request->output.source, "Source side to write")
      ->required();
  command->add_option("--output-target", request->output.target, "Target side to write")
      ->required();
  set_examples(*command, {"nmt data merge -s a.de b.de.gz -t a.en b.en.gz --output-source all.de "
                          "--output-target all.en",
                          "nmt data merge -s a.de b.de -t a.en b.en --output-source all.de.gz "
                          "--output-target all.en.gz"});
  command->callback([request] {
    std::vector<std::pair<std::string, std::filesystem::path>> inputs;
    for (const auto& source : request->sources) inputs.emplace_back("--source", source);
    for (const auto& target : request->targets) inputs.emplace_back("--target", target);
    require_one_standard_input(inputs);
    summary_stream({request->output.source, request->output.target}) << merge_corpora(*request);
  });
}

}  // namespace

void define_data_command(CLI::App& data, CommandCall& /*call*/) {
  data.require_subcommand(1);
  add_check(data);
  add_clean(data);
  add_convert(data);
  add_split(data);
  add_merge(data);
}

}  // namespace nmt
