#include "benchmarks/bench_command.h"

#include <iostream>
#include <memory>

#include "benchmarks/network_bench.h"
#include "benchmarks/training_bench.h"
#include "benchmarks/translation_bench.h"
#include "cli/common_options.h"
#include "cli/setting_options.h"
#include "distributed/process_group.h"
#include "distributed/rank_info.h"

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

template <typename Request>
void add_python(CLI::App& command, Request& request) {
  auto* python = command.add_option("--python", request.python,
                                    "Compare with Python PyTorch too, run by this interpreter");
  command.add_option("--python-program", request.python_program, "What it runs")
      ->capture_default_str();
  command
      .add_option("--python-compile", request.python_compile,
                  "Compare with torch.compile too, in this mode: default or reduce-overhead")
      ->needs(python);
}

struct TranslationBenchArguments {
  TranslationBenchRequest request;
  bool json = false;
};

void run(const TranslationBenchArguments& arguments) {
  const auto report = bench_translation(arguments.request);
  std::cout << (arguments.json ? to_json(report) : to_text(report));
}

void add_translate(CLI::App& app) {
  auto arguments = std::make_shared<TranslationBenchArguments>();
  auto& request = arguments->request;
  request.python_program = "benchmarks/pytorch_translate.py";
  auto* command = app.add_subcommand(
      "translate", "Time translation by every path, greedy and beam, in batches and one by one");
  command->add_option("-m,--model-dir", request.model_dir, "Model directory")->required();
  command->add_option("-i,--input", request.input, "Text to translate, one sentence per line")
      ->required();
  const auto add = [&](const char* name, int64_t& value, const char* meaning, int64_t least) {
    command->add_option(name, value, meaning)
        ->check(CLI::Range(least, int64_t{1000000}))
        ->capture_default_str();
  };
  add("--sentences", request.sentences, "Input lines to translate in batches", 1);
  add("--single", request.single, "Input lines to translate one at a time", 1);
  command
      ->add_option("--batch-size", request.batch_sizes,
                   "Sentences in a batch; several: each in turn")
      ->check(CLI::Range(2, 1000000))
      ->capture_default_str();
  add("-b,--beam-size", request.beam_size, "Beam size, timed in addition to greedy search", 2);
  add("--length", request.length, "Tokens of every translation; 0: the model's own length", 0);
  add("--rounds", request.rounds, "Rounds; the median is reported", 1);
  add("--threads", request.threads, "Timed in addition to one thread; 0 uses one per core", 0);
  add_device(*command, request.device);
  add_python(*command, request);
  command
      ->add_option("--precision", request.precision,
                   "float32 or bfloat16, of Python and on a GPU of the plain engine")
      ->check(CLI::IsMember({"float32", "bfloat16"}))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments] { run(*arguments); });
}

void run_network_bench(int64_t rounds) {
  ProcessGroup group(read_rank_info());
  const auto report = bench_network(group, rounds);
  group.leave();
  if (group.is_rank_zero()) std::cout << to_text(report);
}

void add_network(CLI::App& app) {
  auto rounds = std::make_shared<int64_t>(20);
  auto* command = app.add_subcommand("network",
                                     "Time all-reduce: nmt launch --processes 2 -- bench network, "
                                     "or under torchrun, mpirun, srun");
  command->add_option("--rounds", *rounds, "Rounds; the median is reported")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->callback([rounds] { run_network_bench(*rounds); });
}

}  // namespace

void add_benchmarks(CLI::App& app) {
  app.name("nmt-bench");
  app.description("Measures how fast this machine trains and translates");
  auto arguments = std::make_shared<BenchArguments>();
  auto& request = arguments->request;
  request.python_program = "benchmarks/pytorch_train.py";
  auto* train = app.add_subcommand(
      "train", "Time whole training steps of every path, alternately, on the same batches");
  add_setting_options(*train, arguments->settings);
  train->add_option("--batches", request.batches, "Updates in a round")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  train->add_option("--rounds", request.rounds, "Rounds; the median is reported")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_python(*train, request);
  train->add_flag("--json", arguments->json, "Print one JSON object");
  train->callback([arguments] { run(*arguments); });
  add_translate(app);
  add_network(app);
  // Last: commands that are added later inherit it.
  set_examples(app, {"nmt-bench train --train-sets train.de train.en --model.hidden-size 512",
                     "nmt-bench translate -m models/mine -i test.de"});
}

}  // namespace nmt
