#include "data/prepare.h"

#include <algorithm>
#include <cstring>
#include <future>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "data/alignment_check.h"
#include "data/corpus_cache.h"
#include "support/error.h"
#include "support/file.h"
#include "support/line_reader.h"
#include "support/sha256.h"

namespace nmt {
namespace {

constexpr size_t kChunkLines = 4096;

struct LinePair {
  std::string source;
  std::string target;
};

struct TokenPair {
  std::vector<int32_t> source;
  std::vector<int32_t> target;
};

std::string cache_key(const CorpusRequest& request, const Tokenizer& source,
                      const Tokenizer& target) {
  std::ostringstream parts;
  parts << kCacheMagic << ' ' << sha256_of_file(request.source_path) << ' '
        << sha256_of_file(request.target_path) << ' ' << sha256(source.bytes()) << ' '
        << sha256(target.bytes()) << ' ' << request.max_length << ' ' << request.max_ratio;
  return sha256(parts.str());
}

std::vector<LinePair> read_chunk(LineReader& source, LineReader& target) {
  std::vector<LinePair> chunk;
  LinePair pair;
  while (chunk.size() < kChunkLines && source.next(pair.source) && target.next(pair.target)) {
    chunk.push_back(pair);
  }
  return chunk;
}

std::vector<TokenPair> tokenize(const std::vector<LinePair>& lines, const Tokenizer& source,
                                const Tokenizer& target) {
  std::vector<TokenPair> pairs;
  pairs.reserve(lines.size());
  for (const auto& line : lines) {
    pairs.push_back({source.encode(line.source), target.encode(line.target)});
  }
  return pairs;
}

bool over_ratio(const TokenPair& pair, double max_ratio) {
  constexpr size_t kShortPair = 20;  // tokens of both sides; short pairs may differ as they like
  if (max_ratio <= 0 || pair.source.size() + pair.target.size() <= kShortPair) return false;
  const auto [shorter, longer] = std::minmax(pair.source.size(), pair.target.size());
  return static_cast<double>(longer) > max_ratio * static_cast<double>(shorter);
}

/// Writes pairs as they come; what needs the whole corpus (offsets, lines, counts) is kept, at 20
/// bytes a pair, and written at the end.
class CacheWriter {
 public:
  CacheWriter(std::ostream& stream, const CorpusRequest& request, const std::string& key)
      : stream_(stream), request_(request) {
    std::memcpy(header_.magic, kCacheMagic, sizeof(header_.magic));
    std::memcpy(header_.key, key.data(), sizeof(header_.key));
    write(&header_, 1);  // its place; the content follows at the end
  }

  void add(const TokenPair& pair) {
    CorpusReport& report = header_.report;
    const auto line = static_cast<uint32_t>(report.lines++);
    const auto longest = static_cast<int64_t>(std::max(pair.source.size(), pair.target.size()));
    if (pair.source.empty() || pair.target.empty()) {
      ++report.empty;
    } else if (longest > request_.max_length) {
      ++report.too_long;
    } else if (over_ratio(pair, request_.max_ratio)) {
      ++report.over_ratio;
    } else {
      keep(pair, line);
    }
  }

  void finish() {
    const size_t token_bytes = header_.num_tokens * sizeof(int32_t);
    const char padding[8] = {};
    write(padding, (8 - token_bytes % 8) % 8);
    write(offsets_.data(), offsets_.size());
    write(lines_.data(), lines_.size());
    header_.file_size = static_cast<uint64_t>(stream_.tellp());
    stream_.seekp(0);
    write(&header_, 1);
  }

  const CorpusReport& report() const { return header_.report; }

 private:
  void keep(const TokenPair& pair, uint32_t line) {
    ++header_.report.kept;
    header_.report.source_tokens += static_cast<int64_t>(pair.source.size());
    header_.report.target_tokens += static_cast<int64_t>(pair.target.size());
    append(pair.source);
    append(pair.target);
    lines_.push_back(line);
  }

  void append(const std::vector<int32_t>& tokens) {
    write(tokens.data(), tokens.size());
    header_.num_tokens += tokens.size();
    offsets_.push_back(header_.num_tokens);
  }

  template <typename T>
  void write(const T* values, size_t count) {
    stream_.write(reinterpret_cast<const char*>(values),
                  static_cast<std::streamsize>(count * sizeof(T)));
  }

  std::ostream& stream_;
  const CorpusRequest& request_;
  CacheHeader header_{};
  std::vector<uint64_t> offsets_ = {0};
  std::vector<uint32_t> lines_;
};

/// Tokenises chunks on several threads and writes them in order.
void write_corpus(const CorpusRequest& request, const Tokenizer& source, const Tokenizer& target,
                  CacheWriter& writer) {
  LineReader source_reader(request.source_path);
  LineReader target_reader(request.target_path);
  for (bool more = true; more;) {
    std::vector<std::future<std::vector<TokenPair>>> pending;
    for (int i = 0; i < std::max(request.threads, 1); ++i) {
      auto chunk = read_chunk(source_reader, target_reader);
      more = chunk.size() == kChunkLines;
      pending.push_back(
          std::async(std::launch::async, [chunk = std::move(chunk), &source, &target] {
            return tokenize(chunk, source, target);
          }));
      if (!more) break;
    }
    for (auto& chunk : pending) {
      for (const auto& pair : chunk.get()) writer.add(pair);
    }
    if (request.progress) request.progress(writer.report().lines);
  }
}

}  // namespace

ParallelCorpus prepare_corpus(const CorpusRequest& request, const Tokenizer& source,
                              const Tokenizer& target) {
  check_alignment(request.source_path, request.target_path);
  const auto key = cache_key(request, source, target);
  const auto file = request.cache_dir / (key.substr(0, 16) + ".corpus");
  if (auto corpus = ParallelCorpus::open(file, key)) return *corpus;

  std::filesystem::create_directories(request.cache_dir);
  CorpusReport report;
  write_file_atomically(file, [&](std::ostream& stream) {
    CacheWriter writer(stream, request, key);
    write_corpus(request, source, target, writer);
    writer.finish();
    report = writer.report();
  });
  if (report.kept == 0) {
    throw Error(request.source_path.string() + " and " + request.target_path.string() +
                ": no pair is left to use (" + to_text(report) + ")");
  }
  auto corpus = ParallelCorpus::open(file, key);
  if (!corpus) throw Error(file.string() + ": the corpus cache cannot be read back");
  return *corpus;
}

}  // namespace nmt
