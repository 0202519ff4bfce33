#include "data/prepare.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "data/alignment_check.h"
#include "data/cache_writer.h"
#include "support/error.h"
#include "support/file.h"
#include "support/line_reader.h"
#include "support/random.h"
#include "support/sha256.h"
#include "support/thread_team.h"

namespace nmt {
namespace {

constexpr char kCacheSuffix[] = ".corpus";
constexpr size_t kChunkLines = 4096;
constexpr size_t kShortPair = 20;  // tokens of both sides; short pairs may differ as they like

struct LinePair {
  std::string source;
  std::string target;
};

std::string cache_key(const CorpusRequest& request, const Tokenizer& source,
                      const Tokenizer& target) {
  std::ostringstream parts;
  parts << kCacheMagic << ' ' << sha256_of_file(request.source_path) << ' '
        << sha256_of_file(request.target_path) << ' ' << sha256(source.bytes()) << ' '
        << sha256(target.bytes()) << ' ' << request.max_length << ' ' << request.max_ratio;
  const auto& sampling = request.sampling;
  if (sampling.any()) {
    parts << " sampled " << sampling.source << ' ' << sampling.target << ' ' << sampling.seed;
  }
  return sha256(parts.str());
}

bool over_ratio(const TokenPair& pair, double max_ratio) {
  if (max_ratio <= 0 || pair.source.size() + pair.target.size() <= kShortPair) return false;
  const size_t shorter = std::min(pair.source.size(), pair.target.size());
  const size_t longer = std::max(pair.source.size(), pair.target.size());
  return static_cast<double>(longer) > max_ratio * static_cast<double>(shorter);
}

/// Whether the pair is used; counts it either way.
bool accept(const TokenPair& pair, const CorpusRequest& request, CorpusReport& report) {
  ++report.lines;
  const auto longest = static_cast<int64_t>(std::max(pair.source.size(), pair.target.size()));
  if (pair.source.empty() || pair.target.empty()) {
    ++report.empty;
  } else if (longest > request.max_length) {
    ++report.too_long;
  } else if (over_ratio(pair, request.max_ratio)) {
    ++report.over_ratio;
  } else {
    ++report.kept;
    report.source_tokens += static_cast<int64_t>(pair.source.size());
    report.target_tokens += static_cast<int64_t>(pair.target.size());
    return true;
  }
  return false;
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot be made: " + error.message());
}

/// Tokenises a corpus into a cache on several threads, with one chunk of lines for each in memory:
/// a thread reads the next chunk, tokenises it and waits until its turn comes to write it.
class Preparation {
 public:
  Preparation(const CorpusRequest& request, const Tokenizer& source, const Tokenizer& target,
              CacheWriter& writer)
      : request_(request),
        source_(source),
        target_(target),
        writer_(writer),
        source_reader_(request.source_path),
        target_reader_(request.target_path) {}

  CorpusReport run() {
    ThreadTeam(std::max(1, request_.threads)).run([this](int) { work(); });
    if (failure_) std::rethrow_exception(failure_);
    return report_;
  }

 private:
  struct Chunk {
    std::vector<LinePair> lines;
    int64_t index = 0;
  };

  void work() {
    try {
      for (auto chunk = read(); !chunk.lines.empty(); chunk = read()) {
        const auto pairs = tokenize(chunk);
        write(pairs, chunk.index);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      turn_.notify_all();
    }
  }

  Chunk read() {
    const std::lock_guard<std::mutex> lock(mutex_);
    Chunk chunk;
    if (failure_) return chunk;
    chunk.index = chunks_read_++;
    LinePair pair;
    while (chunk.lines.size() < kChunkLines && source_reader_.next(pair.source) &&
           target_reader_.next(pair.target)) {
      chunk.lines.push_back(pair);
    }
    return chunk;
  }

  std::vector<TokenPair> tokenize(const Chunk& chunk) const {
    const auto& sampling = request_.sampling;
    std::vector<TokenPair> pairs;
    pairs.reserve(chunk.lines.size());
    auto number = static_cast<uint64_t>(chunk.index) * kChunkLines;
    for (const auto& line : chunk.lines) {
      Random seeds(sampling.seed, number++);
      const uint64_t source_seed = seeds.next();
      pairs.push_back({source_.sample(line.source, sampling.source, source_seed),
                       target_.sample(line.target, sampling.target, seeds.next())});
    }
    return pairs;
  }

  void write(const std::vector<TokenPair>& pairs, int64_t index) {
    std::unique_lock<std::mutex> lock(mutex_);
    turn_.wait(lock, [&] { return failure_ || chunks_written_ == index; });
    if (failure_) return;
    for (const auto& pair : pairs) {
      if (accept(pair, request_, report_)) writer_.add(pair, report_.lines - 1);
    }
    if (request_.progress) request_.progress(report_.lines);
    ++chunks_written_;
    turn_.notify_all();
  }

  const CorpusRequest& request_;
  const Tokenizer& source_;
  const Tokenizer& target_;
  CacheWriter& writer_;

  std::mutex mutex_;  // guards all below
  std::condition_variable turn_;
  LineReader source_reader_;
  LineReader target_reader_;
  int64_t chunks_read_ = 0;
  int64_t chunks_written_ = 0;
  CorpusReport report_;
  std::exception_ptr failure_;
};

}  // namespace

ParallelCorpus prepare_corpus(const CorpusRequest& request, const Tokenizer& source,
                              const Tokenizer& target) {
  const auto key = cache_key(request, source, target);
  const auto file = request.cache_dir / (key.substr(0, 16) + kCacheSuffix);
  // Text that has a cache passed the checks when that was built.
  if (auto corpus = ParallelCorpus::open(file, key)) return *corpus;

  check_alignment(request.source_path, request.target_path);
  make_folder(request.cache_dir);
  write_file_atomically(file, [&](std::ostream& stream) {
    CacheWriter writer(stream, file, key);
    const auto report = Preparation(request, source, target, writer).run();
    if (report.kept == 0) {
      throw Error(request.source_path.string() + " and " + request.target_path.string() +
                  ": no pair is left to use (" + to_text(report) + ")");
    }
    writer.finish(report);
  });
  auto corpus = ParallelCorpus::open(file, key);
  if (!corpus) throw Error(file.string() + ": the corpus cache cannot be read back");
  return *corpus;
}

void remove_other_caches(const std::filesystem::path& cache_dir,
                         const std::vector<ParallelCorpus>& corpora) {
  const auto is_used = [&](const std::filesystem::path& file) {
    return std::any_of(corpora.begin(), corpora.end(),
                       [&](const ParallelCorpus& corpus) { return corpus.file() == file; });
  };
  std::error_code ignored;  // what cannot be deleted only takes room
  for (const auto& entry : std::filesystem::directory_iterator(cache_dir, ignored)) {
    const bool is_cache = entry.path().filename().string().find(kCacheSuffix) != std::string::npos;
    if (is_cache && !is_used(entry.path())) std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace nmt
