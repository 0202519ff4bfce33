#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "benchmarks/roofline.h"

namespace nmt {

struct TranslationBenchRequest {
  std::filesystem::path model_dir;
  std::filesystem::path input;
  int64_t sentences = 256;  // of the input, in batches
  int64_t single = 32;      // of them, one at a time
  std::vector<int64_t> batch_sizes = {64};
  int64_t beam_size = 5;
  int64_t length = 20;  // of every translation; 0: as long as the model makes it
  int64_t rounds = 3;
  int64_t threads = 0;  // 0: one for each core
  std::string device = "cpu";
  std::string python;                 // interpreter; empty: not compared
  std::string python_program;         // benchmarks/pytorch_translate.py
  std::string python_compile;         // compared in this mode of torch.compile, too; empty: not
  std::string precision = "float32";  // or bfloat16: of Python, and on a GPU of the plain engine
};

/// One way to translate.
struct TranslationBenchEntry {
  std::string path;  // plain, fused, int8, python or compiled (python)
  int threads = 1;
  int64_t beam_size = 1;
  int64_t batch_size = 1;
  int64_t sentences = 0;
  int64_t tokens = 0;            // of the best translations; 0: unknown
  double seconds = 0.0;          // of one round, the median of all rounds
  double product_seconds = 0.0;  // of the round's matrix products alone; fused in batches only
  double median_ms = 0.0;        // of a sentence, where they come one at a time; 0: unknown
  double percentile_99_ms = 0.0;

  double product_share() const { return seconds > 0 ? product_seconds / seconds : 0.0; }
};

struct TranslationBenchReport {
  int64_t parameters = 0;
  std::vector<TranslationBenchEntry> entries;
};

/// Times translation of the same sentences, to the same lengths, by all paths alternately: greedy
/// and beam search, in batches and one at a time. On a GPU the plain engine and Python. Throws
/// Error as translate does.
TranslationBenchReport bench_translation(const TranslationBenchRequest& request);

/// The table that a person reads.
std::string to_text(const TranslationBenchReport& report);

std::string to_json(const TranslationBenchReport& report);

}  // namespace nmt
