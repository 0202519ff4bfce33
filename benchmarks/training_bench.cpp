#include "benchmarks/training_bench.h"

#include <ATen/ATen.h>

#include <filesystem>
#include <memory>

#include "benchmarks/measure.h"
#include "benchmarks/training_candidate.h"
#include "checkpoint/model.h"
#include "config/choice.h"
#include "config/validate.h"
#include "data/batch_stream.h"
#include "files/scratch_folder.h"
#include "kernels/bfloat16.h"
#include "nn/device.h"
#include "threads/threads.h"
#include "train/inputs/input_checks.h"
#include "train/inputs/training_inputs.h"
#include "train/steps/fused_step.h"
#include "train/steps/training_step.h"

namespace nmt {
namespace {

BenchBatches first_batches(const CorpusMixture& corpora, const Settings& settings, int64_t count) {
  BatchStream stream(corpora, settings.data, static_cast<uint64_t>(settings.train.seed), 1);
  BenchBatches batches;
  for (int64_t i = 0; i < count && !stream.at_end(); ++i) batches.push_back(stream.next());
  return batches;
}

/// The products of one round of the fused engine, of each thread.
ProductLists products_of(const Seq2SeqOptions& options, const TrainConfig& config, int threads,
                         const BenchBatches& batches, const Tokenizers& tokenizers) {
  const Seq2Seq model = make_bench_model(options, config);
  const auto step = make_training_step(model, config, torch::kCPU, threads, tokenizers);
  auto lists = record_products(dynamic_cast<FusedStep&>(*step).team(), [&] {
    for (const auto& batch : batches) step->accumulate_gradient(batch, 1.0);
  });
  for (auto& list : lists) {
    for (auto& product : list) product.packed = nullptr;  // weights packed for one batch are gone
  }
  return lists;
}

double total_flop(const ProductLists& lists) {
  double flop = 0.0;
  for (const auto& list : lists) {
    for (const auto& product : list) flop += flop_of(product.shape);
  }
  return flop;
}

/// The settings that make a row of the table.
TrainConfig config_of(const std::string& path, TrainConfig config) {
  if (config.device != "cpu") return config;
  const bool bfloat16 = path == "bfloat16";
  if (path == "likelihood") config.objective = &likelihood_objective();
  config.engine = path == "plain" ? TrainingEngine::kPlain : TrainingEngine::kFused;
  config.precision = bfloat16 ? TrainingPrecision::kBfloat16 : TrainingPrecision::kFloat32;
  return config;
}

/// Makes, measures and times all candidates, one round of each in turn.
class TrainingBench {
 public:
  TrainingBench(const TrainingBenchRequest& request, const Seq2SeqOptions& options,
                const BenchBatches& batches, const Tokenizers& tokenizers,
                const torch::Device& device, const std::filesystem::path& scratch)
      : request_(request),
        options_(options),
        batches_(batches),
        tokenizers_(tokenizers),
        device_(device),
        batches_file_(scratch / "batches.jsonl") {
    if (!request.python.empty()) write_batches(batches, batches_file_);
  }

  void add(const std::string& path, int threads) {
    const auto config = config_of(path, request_.settings.train);
    const auto make = [&] {
      if (!is_python(path)) {
        return make_path(options_, config, device_, threads, batches_, tokenizers_);
      }
      const PythonRun run{request_.python,
                          request_.python_program,
                          config.device,
                          choice_name(config.precision),
                          path == "compiled" ? request_.python_compile : "",
                          threads};
      return make_python(run, options_, config, batches_file_);
    };
    TrainingBenchEntry entry;
    entry.path = path;
    entry.threads = threads;
    // Neither a process of its own nor a GPU shows in this one's memory.
    if (!is_python(path) && device_.is_cpu()) {
      entry.peak_bytes = peak_growth([&] { make()->run(); });
    }
    entries_.push_back(entry);
    candidates_.push_back(make());
  }

  std::vector<TrainingBenchEntry> run() {
    // The first round warms caches and pages up, and compiles. By now all programs are starting.
    for (const auto& candidate : candidates_) candidate->run();
    std::vector<std::vector<double>> seconds(candidates_.size());
    for (int64_t round = 0; round < request_.rounds; ++round) {
      for (size_t i = 0; i < candidates_.size(); ++i) seconds[i].push_back(candidates_[i]->run());
    }
    for (size_t i = 0; i < entries_.size(); ++i) entries_[i].seconds = quantile(seconds[i], 0.5);
    return entries_;
  }

 private:
  const TrainingBenchRequest& request_;
  const Seq2SeqOptions& options_;
  const BenchBatches& batches_;
  const Tokenizers& tokenizers_;
  torch::Device device_;
  std::filesystem::path batches_file_;
  std::vector<TrainingBenchEntry> entries_;
  std::vector<std::unique_ptr<TrainingCandidate>> candidates_;
};

void add_products(TrainingBenchReport& report, const Seq2SeqOptions& options,
                  const TrainConfig& config, const BenchBatches& batches,
                  const Tokenizers& tokenizers) {
  for (const int threads : report.thread_counts) {
    report.rooflines.push_back(measure_roofline(threads));
  }
  for (auto& entry : report.entries) {
    if (entry.path != "fused" && entry.path != "bfloat16") continue;
    const auto products =
        products_of(options, config_of(entry.path, config), entry.threads, batches, tokenizers);
    report.products_flop = total_flop(products);
    entry.product_seconds = replay_products(products);
  }
}

}  // namespace

TrainingBenchReport bench_training(const TrainingBenchRequest& request) {
  const auto& settings = request.settings;
  validate(settings);
  const auto device = open_device(settings.train.device);
  const ScratchFolder scratch;
  require_corpora(settings.data, {scratch.path()});
  const auto tokenizers = make_tokenizers(settings);
  const auto corpora = prepare_training_corpora(settings, scratch.path(), tokenizers);
  const auto batches = first_batches(corpora, settings, request.batches);
  const Seq2SeqOptions options{settings.model, tokenizers.source.vocabulary_size(),
                               tokenizers.target.vocabulary_size()};
  TrainingBenchReport report;
  report.parameters = count_parameters(*make_seq2seq(options));
  for (const auto& batch : batches) {
    report.source_tokens += batch.num_source_tokens;
    report.target_tokens += batch.num_target_tokens;
  }
  report.device = settings.train.device;
  report.precision = choice_name(settings.train.precision);
  report.thread_counts = {1};
  const int threads = number_of_threads(settings.train.threads);
  if (device.is_cpu() && threads > 1) report.thread_counts.push_back(threads);

  TrainingBench bench(request, options, batches, tokenizers, device, scratch.path());
  std::vector<std::string> paths = {"plain"};
  if (device.is_cpu()) {
    paths.emplace_back("fused");
    if (has_bfloat16_products()) paths.emplace_back("bfloat16");
    if (settings.train.objective != &likelihood_objective()) paths.emplace_back("likelihood");
  }
  if (!request.python.empty()) paths.emplace_back("python");
  if (!request.python_compile.empty()) paths.emplace_back("compiled");
  for (const auto& path : paths) {
    for (const int count : report.thread_counts) bench.add(path, count);
  }
  report.entries = bench.run();
  if (device.is_cpu()) add_products(report, options, settings.train, batches, tokenizers);
  return report;
}

}  // namespace nmt
