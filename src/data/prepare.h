#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data/parallel_corpus.h"
#include "text/sentence_key.h"
#include "text/tokenizer.h"

namespace nmt {

/// Suffix of the folders that remove_other_caches() removes.
constexpr char kCacheSuffix[] = ".corpus";

/// Random variants of the text: sampled segmentations (Tokenizer::sample) and letter case. A
/// function of the seed and the line number.
struct TextSampling {
  double source = 0.0;  // strength; 0: the best segmentation
  double target = 0.0;
  uint64_t seed = 0;
  double letter_case = 0.0;  // probability of a changed case: half of it ALL CAPS on both sides,
                             // half Title Case in the source

  bool any() const { return source > 0 || target > 0 || letter_case > 0; }
};

struct CorpusRequest {
  std::filesystem::path source_path;  // plain text or .gz, one sentence a line
  std::filesystem::path target_path;
  std::filesystem::path alignment_path = {};  // word_links.h, a line for each pair; empty: none
  std::filesystem::path weight_path = {};     // loss weights, one number per line; empty: none
  std::string target_language = {};           // text/target_languages.h; empty: each line names it
  std::string other_advice = {};              // of the error of a line that names none, at its end
  std::filesystem::path cache_dir;            // created if missing
  int64_t max_length = 100;                   // tokens a side
  double max_ratio = 0.0;                     // 0: any
  int threads = 1;
  TextSampling sampling = {};
  HeldOutSentences held_out = {};  // pairs with one of them on a side are left out
  uint64_t shard_bits = 20;        // a shard of the cache holds 2^shard_bits pairs

  /// Called regularly with the number of lines done, by one thread at a time but not always the
  /// caller's. May throw to stop the preparation.
  std::function<void(int64_t lines)> progress = nullptr;

  /// Called when an interrupted preparation is resumed, with the number of lines done.
  std::function<void(int64_t lines)> goes_on = nullptr;
};

/// kLines if both sides are the same text, as for a language model.
CorpusUnit unit_of(const CorpusRequest& request);

/// Checks and tokenizes a corpus into the cache; later calls with the same text, vocabularies and
/// limits only map it. An interrupted preparation resumes after its last complete shard. Memory use
/// does not depend on the corpus's size: at most 12 bytes for each pair of a shard. Throws Error on
/// anything wrong with the text (bad UTF-8, with file, line and byte; unequal line counts; no line
/// at all), or when no pair is left.
ParallelCorpus prepare_corpus(const CorpusRequest& request, const Tokenizer& source,
                              const Tokenizer& target);

/// Deletes all caches in the folder but those of `corpora`, and in these the temporary files of
/// runs that were killed.
void remove_other_caches(const std::filesystem::path& cache_dir,
                         const std::vector<ParallelCorpus>& corpora);

}  // namespace nmt
