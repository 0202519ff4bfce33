#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "data/pair_reader.h"
#include "data/prepare.h"
#include "data/shard_writer.h"
#include "text/placeholders.h"
#include "text/target_languages.h"
#include "threads/worker_threads.h"

namespace nmt {

/// The pairs of a corpus in order, tokenized ahead by several threads including the caller's: each
/// idle thread reads and tokenizes the next chunk of lines.
class TokenizedPairs {
 public:
  TokenizedPairs(const CorpusRequest& request, const Tokenizer& source, const Tokenizer& target,
                 const TextPlace& after);
  TokenizedPairs(const TokenizedPairs&) = delete;
  TokenizedPairs& operator=(const TokenizedPairs&) = delete;

  /// False at the end of the text. Throws Error on bad UTF-8, bad alignments and weights, and where
  /// files do not match, after all earlier pairs.
  bool next();

  const TokenPair& pair() const { return current_.pairs[position_]; }

  /// Place in the text after the current pair.
  const TextPlace& place() const { return place_; }

  bool ends_chunk() const { return position_ + 1 == current_.pairs.size(); }

 private:
  struct Line {
    std::string source;
    std::string target;
    std::string alignment;
    std::string weight;
    TextPlace end;
  };
  struct Chunk {
    int64_t index = 0;
    std::vector<Line> lines;
    std::vector<TokenPair> pairs;
    std::exception_ptr failure;  // raised after these pairs
    bool is_last = false;
  };

  void work();
  Chunk take();
  void make_chunk_or_wait(std::unique_lock<std::mutex>& lock);
  Chunk read();
  void tokenize(Chunk& chunk) const;
  TokenPair tokenize(const Line& line) const;
  bool read(Line& line);
  TargetLanguages::Line read_language(const Line& line) const;
  void annotate(const Line& line, const SentencePair& text, TokenPair& pair) const;

  const CorpusRequest& request_;
  const Tokenizer& source_;
  const Tokenizer& target_;
  const TargetLanguages languages_;
  const std::vector<SpanKind> placeholders_;
  Chunk current_;
  size_t position_ = 0;
  TextPlace place_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  PairReader reader_;
  std::optional<LineReader> alignments_;
  std::optional<LineReader> weights_;
  std::map<int64_t, Chunk> ready_;
  int64_t chunks_read_ = 0;
  int64_t chunks_taken_ = 0;
  bool ended_ = false;                   // the input is exhausted
  std::optional<WorkerThreads> others_;  // joined before anything else is destroyed
};

}  // namespace nmt
