#include <spdlog/spdlog.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/stored_model.h"
#include "cli/commands.h"
#include "config/settings_io.h"
#include "corpus_check/inspection_report.h"
#include "decode/fused_model.h"
#include "errors/error.h"
#include "files/output_file.h"
#include "threads/threads.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

struct DataArguments {
  InspectionRequest request;
  std::vector<std::string> held_out;
  std::string config;
  std::string source_tokenizer;
  std::string target_tokenizer;
  std::string output_source;
  std::string output_target;
  std::string dropped;
  std::vector<std::string> keep;
  bool json = false;
};

InspectionRequest request_of(const DataArguments& arguments) {
  auto request = arguments.request;
  request.held_out.assign(arguments.held_out.begin(), arguments.held_out.end());
  request.progress = [](int64_t lines) {
    constexpr int64_t kOften = 1000000;
    if (lines % kOften == 0) spdlog::info("{} lines read", lines);
  };
  return request;
}

/// Tokens by the vocabulary where there is one, else as vocabularies of the usual size have them.
double tokens_of(const std::optional<VocabularyCoverage>& coverage, int64_t words) {
  constexpr double kTokensAWord = 1.4;
  return coverage ? static_cast<double>(coverage->tokens)
                  : kTokensAWord * static_cast<double>(words);
}

std::optional<VocabularyCoverage> coverage_of(const std::filesystem::path& text,
                                              const std::string& tokenizer, int32_t& size) {
  if (tokenizer.empty()) return std::nullopt;
  const auto vocabulary = Tokenizer::from_file(tokenizer);
  size = vocabulary.vocabulary_size();
  return measure_coverage(text, vocabulary);
}

void check(const DataArguments& arguments) {
  DataReport report;
  const auto settings = arguments.config.empty() ? Settings() : load_settings(arguments.config);
  report.corpus = arguments.request.corpus;
  report.inspection = inspect_corpus(request_of(arguments));
  auto source_size = static_cast<int32_t>(settings.vocab.source_size);
  auto target_size = static_cast<int32_t>(settings.vocab.target_size);
  report.source_coverage =
      coverage_of(report.corpus.source, arguments.source_tokenizer, source_size);
  report.target_coverage =
      coverage_of(report.corpus.target, arguments.target_tokenizer, target_size);
  TrainingWork work;
  work.source_tokens = tokens_of(report.source_coverage, report.inspection.source_words);
  work.target_tokens = tokens_of(report.target_coverage, report.inspection.target_words);
  const bool by_tokens = settings.data.batch_type == "tokens";
  const auto batch = static_cast<double>(settings.data.batch_size);
  const auto pairs = static_cast<double>(std::max<int64_t>(report.inspection.lines, 1));
  work.batch_tokens = by_tokens ? batch : batch * work.target_tokens / pairs;
  work.threads = number_of_threads(static_cast<int>(settings.train.threads));
  const auto network = network_options(settings.model, source_size, target_size);
  const auto& train = settings.train;
  work.fused = train.engine != "plain" &&
               why_not_fused_training(network, train, train.device == "cpu").empty();
  report.estimate = estimate_training(network, work);
  // Text that is shown is replaced where it is not UTF-8, a path need not be.
  std::cout << (arguments.json
                    ? to_json(report).dump(2, ' ', false,
                                           nlohmann::ordered_json::error_handler_t::replace) +
                          "\n"
                    : to_text(report));
}

/// Tabs and line ends would break the list.
std::string on_one_line(const std::string& text) {
  auto line = replace_invalid_utf8(text);
  std::replace(line.begin(), line.end(), '\t', ' ');
  std::replace(line.begin(), line.end(), '\r', ' ');
  return line;
}

void clean(const DataArguments& arguments) {
  std::vector<Fault> kept;
  for (const auto& name : arguments.keep) kept.push_back(parse_fault(name));
  const auto paths = {arguments.output_source, arguments.output_target, arguments.dropped};
  for (const auto& path : paths) {
    if (std::count(paths.begin(), paths.end(), path) > 1 && !path.empty()) {
      throw UsageError(path + ": is named for two outputs");
    }
  }
  OutputFile source_output(arguments.output_source);
  OutputFile target_output(arguments.output_target);
  std::unique_ptr<OutputFile> dropped;
  if (!arguments.dropped.empty()) dropped = std::make_unique<OutputFile>(arguments.dropped);
  int64_t written = 0;
  const auto inspection = inspect_corpus(
      request_of(arguments),
      [&](int64_t line, const std::string& source, const std::string& target, const Fault* fault) {
        if (fault == nullptr || std::find(kept.begin(), kept.end(), *fault) != kept.end()) {
          source_output.write(source + "\n");
          target_output.write(target + "\n");
          ++written;
        } else if (dropped) {
          dropped->write(std::to_string(line) + "\t" + fault_name(*fault) + "\t" +
                         on_one_line(source) + "\t" + on_one_line(target) + "\n");
        }
      });
  source_output.finish();
  target_output.finish();
  if (dropped) dropped->finish();
  std::cout << "kept " << written << " of " << inspection.lines << " pairs\n";
  for (size_t i = 0; i < kNumFaults; ++i) {
    const auto fault = static_cast<Fault>(i);
    const bool stays = std::find(kept.begin(), kept.end(), fault) != kept.end();
    if (inspection.counts[i] == 0) continue;
    std::cout << "  " << inspection.counts[i] << (stays ? " kept     " : " dropped  ")
              << fault_name(fault) << ": " << fault_meaning(fault) << '\n';
  }
}

void add_corpus_options(CLI::App& command, DataArguments& arguments) {
  command
      .add_option("-s,--source", arguments.request.corpus.source,
                  "Source side, one sentence a line; .gz too")
      ->required();
  command
      .add_option("-t,--target", arguments.request.corpus.target,
                  "Target side, its translations line by line")
      ->required();
  command.add_option(
      "--held-out", arguments.held_out,
      "Validation and test texts, either side: their sentences must not be trained on");
  command
      .add_option("--max-words", arguments.request.max_words,
                  "Pairs with more words on a side are too long")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
}

void add_check(CLI::App& data, const std::shared_ptr<DataArguments>& arguments) {
  auto* command = data.add_subcommand(
      "check", "Say what is wrong with a parallel corpus, and what training on it would take");
  add_corpus_options(*command, *arguments);
  command->add_option("--config", arguments->config,
                      "Settings of the training to estimate, as for nmt train");
  command->add_option("--source-tokenizer", arguments->source_tokenizer,
                      "SentencePiece model whose coverage of the source is measured");
  command->add_option("--target-tokenizer", arguments->target_tokenizer, "The same for the target");
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments] { check(*arguments); });
}

void add_clean(CLI::App& data, const std::shared_ptr<DataArguments>& arguments) {
  auto* command =
      data.add_subcommand("clean", "Write the good pairs, and a list of what was dropped and why");
  add_corpus_options(*command, *arguments);
  command->add_option("--output-source", arguments->output_source, "File for the source side kept")
      ->required();
  command->add_option("--output-target", arguments->output_target, "File for the target side kept")
      ->required();
  command->add_option("--dropped", arguments->dropped,
                      "File for what was dropped: line, reason, source and target, tab-separated");
  command->add_option("--keep", arguments->keep,
                      "Faults of pairs that are kept all the same, as nmt data check names them");
  command->callback([arguments] { clean(*arguments); });
}

}  // namespace

void add_data_command(CLI::App& app) {
  auto* data = app.add_subcommand("data", "Look into a parallel corpus before training, clean it");
  data->require_subcommand(1);
  const auto arguments = std::make_shared<DataArguments>();
  add_check(*data, arguments);
  add_clean(*data, arguments);
}

}  // namespace nmt
