#include <iostream>
#include <memory>
#include <string>

#include "bench/training_bench.h"
#include "cli/commands.h"
#include "cli/setting_options.h"

namespace nmt {
namespace {

struct BenchArguments {
  SettingArguments settings;
  TrainingBenchRequest request;
  bool json = false;
};

void run(BenchArguments& arguments) {
  arguments.request.settings = settings_of(arguments.settings);
  const auto report = bench_training(arguments.request);
  std::cout << (arguments.json ? to_json(report) : to_text(report));
}

}  // namespace

void add_bench_command(CLI::App& app) {
  auto* bench = app.add_subcommand("bench", "Measure how fast this machine computes");
  bench->require_subcommand(1);
  auto arguments = std::make_shared<BenchArguments>();
  auto& request = arguments->request;
  request.python_program = "benchmarks/pytorch_train.py";
  auto* train = bench->add_subcommand(
      "train", "Time whole training steps of every path, alternately, on the same batches");
  add_setting_options(*train, arguments->settings);
  train->add_option("--batches", request.batches, "Updates in a round")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  train->add_option("--rounds", request.rounds, "Rounds; the median counts")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  train->add_option("--python", request.python,
                    "Compare with Python PyTorch too, run by this interpreter");
  train->add_option("--python-program", request.python_program, "What it runs")
      ->capture_default_str();
  train->add_flag("--json", arguments->json, "Print one JSON object");
  train->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
