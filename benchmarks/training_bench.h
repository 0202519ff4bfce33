#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/roofline.h"
#include "config/settings.h"

namespace nmt {

struct TrainingBenchRequest {
  Settings settings;
  int64_t batches = 20;  // updates of one round
  int64_t rounds = 5;
  std::string python;          // interpreter; empty: not compared
  std::string python_program;  // benchmarks/pytorch_train.py
  std::string python_compile;  // compared in this mode of torch.compile, too; empty: not
};

/// One way to compute a training step.
struct TrainingBenchEntry {
  // plain, fused, bfloat16 (fused), likelihood (fused, for comparison), python or compiled (python)
  std::string path;
  int threads = 1;
  double seconds = 0.0;          // of one round, the median of all rounds
  double product_seconds = 0.0;  // of the round's matrix products alone; fused engine only
  int64_t peak_bytes = 0;        // growth of memory; 0: unknown

  /// Time of the matrix products over time of the step.
  double product_share() const { return seconds > 0 ? product_seconds / seconds : 0.0; }
};

struct TrainingBenchReport {
  std::string device;
  std::string precision;  // of the plain engine and Python on a GPU
  int64_t parameters = 0;
  int64_t target_tokens = 0;  // of one round
  int64_t source_tokens = 0;
  double products_flop = 0.0;       // of one round of the fused engine
  std::vector<Roofline> rooflines;  // of thread_counts, at the same places; not with a GPU
  std::vector<int> thread_counts;
  std::vector<TrainingBenchEntry> entries;

  int64_t all_tokens() const { return source_tokens + target_tokens; }
};

/// Times whole training steps (batches from the corpus, forward, backward, clipping, optimizer) of
/// both engines on the same batches, alternately, with one thread and with train.threads. On a GPU
/// (train.device) the plain engine and Python run in train.precision, and nothing else.
/// Vocabularies and caches go to a temporary folder. Throws Error as train does.
TrainingBenchReport bench_training(const TrainingBenchRequest& request);

/// The table that a person reads.
std::string to_text(const TrainingBenchReport& report);

/// {"path": …, "threads": …, "target_tokens_per_s": …} and the rest, one object.
std::string to_json(const TrainingBenchReport& report);

}  // namespace nmt
