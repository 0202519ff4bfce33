#include "benchmarks/translation_bench.h"

#include <algorithm>
#include <memory>

#include "benchmarks/measure.h"
#include "benchmarks/translator_candidate.h"
#include "errors/error.h"
#include "files/line_reader.h"
#include "files/scratch_folder.h"
#include "nn/device.h"
#include "threads/threads.h"

namespace nmt {
namespace {

BenchSentences read_sentences(const TranslationBenchRequest& request, const Model& model) {
  LineReader reader(request.input);
  BenchSentences sentences;
  std::string line;
  while (static_cast<int64_t>(sentences.size()) < request.sentences && reader.next(line)) {
    auto tokens = model.source.encode(line);
    if (!tokens.empty()) sentences.push_back(std::move(tokens));
  }
  if (sentences.empty()) throw Error(request.input.string() + ": holds no sentences to translate");
  return sentences;
}

SearchOptions search_of(const TranslationBenchRequest& request, int64_t beam_size) {
  SearchOptions search;
  search.beam_size = beam_size;
  search.scores = false;
  if (request.length > 0) {
    search.min_length = request.length;
    search.max_length = request.length;
  }
  return search;
}

/// Makes and times all candidates, one round of each in turn.
class TranslationBench {
 public:
  TranslationBench(const TranslationBenchRequest& request, const Model& model,
                   const BenchSentences& sentences)
      : request_(request), model_(model), sentences_(sentences) {}

  void add(const std::string& path, int threads) {
    paths_.push_back(path);
    threads_.push_back(threads);
    if (path == "plain") {
      const bool on_cpu = request_.device == "cpu";
      candidates_.push_back(make_plain_translation(
          model_, sentences_, on_cpu ? threads : number_of_threads(request_.threads)));
    } else if (is_python(path)) {
      const PythonRun run{request_.python,
                          request_.python_program,
                          request_.device,
                          request_.precision,
                          path == "compiled" ? request_.python_compile : "",
                          threads};
      candidates_.push_back(
          make_python_translation(run, model_, sentences_, request_.length,
                                  scratch_.path() / (path + std::to_string(threads) + ".jsonl")));
    } else {
      candidates_.push_back(make_fused_translation(
          model_, sentences_, threads, path == "int8" ? WeightType::kInt8 : WeightType::kFloat32));
    }
  }

  /// All candidates at one kind of search, in batches of this size or one sentence at a time (1).
  void measure(int64_t beam_size, int64_t batch_size, std::vector<TranslationBenchEntry>& entries) {
    const bool in_batches = batch_size > 1;
    TranslationRun run;
    run.search = search_of(request_, beam_size);
    run.batch_size = batch_size;
    run.count = in_batches ? sentences_.size()
                           : std::min(sentences_.size(), static_cast<size_t>(request_.single));
    std::vector<std::vector<double>> seconds(candidates_.size());
    std::vector<int64_t> tokens(candidates_.size());
    for (int64_t round = -1; round < request_.rounds; ++round) {
      for (size_t i = 0; i < candidates_.size(); ++i) {
        if (!in_batches && threads_[i] > 1) continue;  // one sentence is one thread's work
        const double taken = candidates_[i]->run(run, tokens[i]);
        if (round >= 0) seconds[i].push_back(taken);  // the first warms up
      }
    }
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (seconds[i].empty()) continue;
      entries.push_back({paths_[i], threads_[i], beam_size, run.batch_size,
                         static_cast<int64_t>(run.count), tokens[i], quantile(seconds[i], 0.5), 0.0,
                         0.0, 0.0});
      if (in_batches) {
        const auto products = candidates_[i]->products(run);
        if (!products.empty()) entries.back().product_seconds = replay_products(products);
      } else if (!is_python(paths_[i])) {
        time_each(*candidates_[i], run, entries.back());
      }
    }
  }

 private:
  void time_each(TranslatorCandidate& candidate, const TranslationRun& run,
                 TranslationBenchEntry& entry) {
    std::vector<double> milliseconds;
    for (size_t i = 0; i < run.count; ++i) {
      auto one = run;
      one.first = i;
      one.count = 1;
      int64_t tokens = 0;
      milliseconds.push_back(1000 * candidate.run(one, tokens));
    }
    entry.median_ms = quantile(milliseconds, 0.5);
    entry.percentile_99_ms = quantile(milliseconds, 0.99);
  }

  const TranslationBenchRequest& request_;
  const Model& model_;
  const BenchSentences& sentences_;
  ScratchFolder scratch_;
  std::vector<std::string> paths_;
  std::vector<int> threads_;
  std::vector<std::unique_ptr<TranslatorCandidate>> candidates_;
};

}  // namespace

TranslationBenchReport bench_translation(const TranslationBenchRequest& request) {
  if (!request.python.empty() && request.length == 0) {
    throw UsageError("--python needs a --length: its weights are random, and so are its lengths");
  }
  auto model = load_model(request.model_dir, open_device(request.device));
  const auto sentences = read_sentences(request, model);
  const bool on_cpu = request.device == "cpu";
  if (!on_cpu && request.precision == "bfloat16") model.network->to(torch::kBFloat16);
  TranslationBench bench(request, model, sentences);
  std::vector<int> counts = {1};
  const int threads = number_of_threads(request.threads);
  if (on_cpu && threads > 1) counts.push_back(threads);
  std::vector<std::string> paths = {"plain"};
  if (on_cpu) paths.insert(paths.end(), {"fused", "int8"});
  if (!request.python.empty()) paths.emplace_back("python");
  if (!request.python_compile.empty()) paths.emplace_back("compiled");
  for (const auto& path : paths) {
    for (const int count : counts) bench.add(path, count);
  }
  TranslationBenchReport report;
  report.parameters = count_parameters(*model.network);
  auto batch_sizes = request.batch_sizes;
  batch_sizes.push_back(1);
  for (const int64_t batch_size : batch_sizes) {
    for (const int64_t beam_size : {int64_t{1}, request.beam_size}) {
      bench.measure(beam_size, batch_size, report.entries);
    }
  }
  return report;
}

}  // namespace nmt
