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

/// Variants of the text drawn at random, a function of the seed and the line: segmentations instead
/// of the best ones (Tokenizer::sample), and capitals.
struct TextSampling {
  double source = 0.0;  // strength; 0: the best segmentation
  double target = 0.0;
  uint64_t seed = 0;
  double letter_case = 0.0;  // probability: half of it for both sides in ALL CAPS, half for the
                             // source in Title Case

  bool any() const { return source > 0 || target > 0 || letter_case > 0; }
};

struct CorpusRequest {
  std::filesystem::path source_path;  // plain text or .gz, one sentence a line
  std::filesystem::path target_path;
  std::filesystem::path alignment_path = {};  // word_links.h, a line for each pair; empty: none
  std::filesystem::path weight_path = {};     // of each pair's loss, a number a line; empty: none
  std::string target_language = {};           // text/target_languages.h; empty: each line names it
  std::filesystem::path cache_dir;            // made when missing
  int64_t max_length = 100;                   // tokens a side
  double max_ratio = 0.0;                     // 0: any
  int threads = 1;
  TextSampling sampling = {};
  HeldOutSentences held_out = {};  // pairs with one of them on a side are left out
  uint64_t shard_bits = 20;        // a shard of the cache holds 2^shard_bits pairs

  /// Told now and then how many lines are done, by one thread at a time but not always the
  /// caller's. What it throws ends the preparation and is thrown on.
  std::function<void(int64_t lines)> progress = nullptr;

  /// Called when an interrupted preparation is resumed, with the number of lines done.
  std::function<void(int64_t lines)> goes_on = nullptr;
};

/// Lines where both sides are one text, that of a language model.
CorpusUnit unit_of(const CorpusRequest& request);

/// Checks and tokenizes a corpus once; later calls with the same text, vocabularies and limits map
/// the cache. A preparation that was ended, however, goes on after the last whole shard of it.
/// Memory use does not depend on the corpus's size: at most 12 bytes for each pair of a shard.
/// Throws Error on anything wrong with the text (bad UTF-8, with file, line and byte; unequal line
/// counts; no line at all), or when no pair is left.
ParallelCorpus prepare_corpus(const CorpusRequest& request, const Tokenizer& source,
                              const Tokenizer& target);

/// Deletes the caches in the folder that hold none of these corpora, of texts or vocabularies since
/// changed, and what runs that were killed left in those that do.
void remove_other_caches(const std::filesystem::path& cache_dir,
                         const std::vector<ParallelCorpus>& corpora);

}  // namespace nmt
