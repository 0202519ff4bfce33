#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/roofline.h"
#include "benchmarks/training_candidate.h"
#include "checkpoint/model.h"
#include "decode/search_options.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// One run of a candidate: how it searches, over `count` sentences.
struct TranslationRun {
  SearchOptions search;
  int64_t batch_size = 1;
  size_t first = 0;
  size_t count = 0;
};

/// Something that translates the benchmark's sentences.
class TranslatorCandidate {
 public:
  virtual ~TranslatorCandidate() = default;

  /// Seconds it took; adds the tokens of the best translations to `tokens` where it knows them.
  virtual double run(const TranslationRun& run, int64_t& tokens) = 0;

  /// The matrix products of a run, of each thread; empty where they cannot be recorded.
  virtual ProductLists products(const TranslationRun&) { return {}; }
};

using BenchSentences = std::vector<std::vector<int32_t>>;

std::unique_ptr<TranslatorCandidate> make_plain_translation(const Model& model,
                                                            const BenchSentences& sentences,
                                                            int threads);

std::unique_ptr<TranslatorCandidate> make_fused_translation(const Model& model,
                                                            const BenchSentences& sentences,
                                                            int threads, WeightType type);

/// benchmarks/pytorch_translate.py, which translates to one length; `sentences_file` is written.
std::unique_ptr<TranslatorCandidate> make_python_translation(
    const PythonRun& run, const Model& model, const BenchSentences& sentences, int64_t length,
    const std::filesystem::path& sentences_file);

}  // namespace nmt
