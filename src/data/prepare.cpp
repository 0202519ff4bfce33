#include "data/prepare.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include "data/corpus_cache.h"
#include "data/pair_reader.h"
#include "data/shard_writer.h"
#include "data/text_hashes.h"
#include "data/tokenized_pairs.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/sha256.h"
#include "text/special_tokens.h"

namespace nmt {
namespace {

constexpr size_t kShortPair = 20;  // tokens of both sides; shorter pairs may have any ratio

std::string cache_key(const CorpusRequest& request, const Tokenizer& source,
                      const Tokenizer& target) {
  std::ostringstream parts;
  parts << kCacheMagic << ' ' << text_hash(request.source_path) << ' '
        << text_hash(request.target_path) << ' ' << sha256(source.bytes()) << ' '
        << sha256(target.bytes()) << ' ' << request.max_length << ' ' << request.max_ratio << ' '
        << request.shard_bits;
  const auto& sampling = request.sampling;
  if (sampling.any()) {
    parts << " sampled " << sampling.source << ' ' << sampling.target << ' ' << sampling.seed;
    if (sampling.letter_case > 0) parts << " case " << sampling.letter_case;
  }
  if (!request.alignment_path.empty()) parts << " aligned " << text_hash(request.alignment_path);
  if (!request.weight_path.empty()) parts << " weighted " << text_hash(request.weight_path);
  if (!request.target_language.empty()) parts << " into " << request.target_language;
  if (request.held_out.digest() != 0) parts << " held-out " << request.held_out.digest();
  return sha256(parts.str());
}

bool over_ratio(const TokenPair& pair, double max_ratio) {
  if (max_ratio <= 0 || pair.source.size() + pair.target.size() <= kShortPair) return false;
  const size_t shorter = std::min(pair.source.size(), pair.target.size());
  const size_t longer = std::max(pair.source.size(), pair.target.size());
  return static_cast<double>(longer) > max_ratio * static_cast<double>(shorter);
}

int64_t num_unknown(const std::vector<int32_t>& tokens) {
  return std::count(tokens.begin(), tokens.end(), kUnknownId);
}

/// Whether the pair is used; counts it either way.
bool accept(const TokenPair& pair, const CorpusRequest& request, CorpusReport& report) {
  ++report.lines;
  const auto longest = static_cast<int64_t>(std::max(pair.source.size(), pair.target.size()));
  if (pair.held_out) {
    ++report.held_out;
  } else if (pair.source.empty() || pair.target.empty()) {
    ++report.empty;
  } else if (longest > request.max_length) {
    ++report.too_long;
  } else if (over_ratio(pair, request.max_ratio)) {
    ++report.over_ratio;
  } else {
    ++report.kept;
    if (pair.unguided) ++report.unguided;
    report.source_tokens += static_cast<int64_t>(pair.source.size());
    report.target_tokens += static_cast<int64_t>(pair.target.size());
    report.source_unknown += num_unknown(pair.source);
    report.target_unknown += num_unknown(pair.target);
    return true;
  }
  return false;
}

/// Completes the shards of a cache in order: reuses those that an earlier preparation finished,
/// writes the others.
class Preparation {
 public:
  Preparation(const CorpusRequest& request, const Tokenizer& source, const Tokenizer& target,
              std::filesystem::path folder, std::string key)
      : request_(request),
        source_(source),
        target_(target),
        folder_(std::move(folder)),
        key_(std::move(key)) {}

  std::vector<std::shared_ptr<const CorpusShard>> run() {
    while (shards_.empty() || shards_.back()->header().is_last == 0) {
      auto shard = CorpusShard::open(folder_, key_, shards_.size(), CorpusShard::Check::kWhole);
      shards_.push_back(shard ? take_over(std::move(shard)) : make_next());
    }
    return std::move(shards_);
  }

 private:
  std::shared_ptr<const CorpusShard> take_over(std::shared_ptr<const CorpusShard> shard) {
    report_ = shard->header().report;
    pairs_.reset();                                           // reading resumes after this shard
    if (request_.progress) request_.progress(report_.lines);  // checking a shard takes time too
    return shard;
  }

  std::shared_ptr<const CorpusShard> make_next() {
    if (!pairs_) begin_reading();
    ShardWriter writer(folder_, key_, shards_.size(), request_.shard_bits);
    bool more = true;
    while (!writer.is_full() && (more = pairs_->next())) {
      if (accept(pairs_->pair(), request_, report_)) writer.add(pairs_->pair());
      if (request_.progress && pairs_->ends_chunk()) request_.progress(report_.lines);
    }
    if (!more) require_pairs();
    writer.finish(report_, pairs_->place(), !more);
    auto shard = CorpusShard::open(folder_, key_, shards_.size(), CorpusShard::Check::kHeader);
    if (!shard) throw Error(folder_.string() + ": the corpus cache cannot be read back");
    return shard;
  }

  void begin_reading() {
    const auto place = shards_.empty() ? TextPlace() : shards_.back()->header().end;
    if (request_.goes_on && place.lines > 0) request_.goes_on(place.lines);
    pairs_ = std::make_unique<TokenizedPairs>(request_, source_, target_, place);
  }

  void require_pairs() const {
    if (report_.kept > 0) return;
    require_not_empty(request_.source_path, request_.target_path, report_.lines);
    const auto unit = unit_of(request_);
    throw Error(corpus_name(request_.source_path, request_.target_path) + ": no " +
                (unit == CorpusUnit::kPairs ? "pair" : "line") + " is left to use (" +
                to_text(report_, unit) + ")");
  }

  const CorpusRequest& request_;
  const Tokenizer& source_;
  const Tokenizer& target_;
  std::filesystem::path folder_;
  std::string key_;
  std::vector<std::shared_ptr<const CorpusShard>> shards_;
  CorpusReport report_;
  std::unique_ptr<TokenizedPairs> pairs_;  // null until there is a shard to make
};

}  // namespace

CorpusUnit unit_of(const CorpusRequest& request) {
  return request.source_path == request.target_path ? CorpusUnit::kLines : CorpusUnit::kPairs;
}

ParallelCorpus prepare_corpus(const CorpusRequest& request, const Tokenizer& source,
                              const Tokenizer& target) {
  const auto key = cache_key(request, source, target);
  const auto folder = request.cache_dir / (key.substr(0, 16) + kCacheSuffix);
  make_folder(request.cache_dir);
  make_folder(folder);
  limit_readers(folder, {request.source_path, request.target_path});
  try {
    auto shards = Preparation(request, source, target, folder, key).run();
    // Detects a text that changed while it was tokenized; hashes of unchanged files are cached.
    if (cache_key(request, source, target) != key) {
      std::filesystem::remove_all(folder);
      throw Error(corpus_name(request.source_path, request.target_path) +
                  ": changed while it was read; try again when it is complete");
    }
    return {folder, std::move(shards)};
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(folder,
                            ignored);  // fails, as intended, if it holds shards to resume from
    throw;
  }
}

void remove_other_caches(const std::filesystem::path& cache_dir,
                         const std::vector<ParallelCorpus>& corpora) {
  const auto is_used = [&](const std::filesystem::path& folder) {
    return std::any_of(corpora.begin(), corpora.end(),
                       [&](const ParallelCorpus& corpus) { return corpus.folder() == folder; });
  };
  const auto contains = [](const std::filesystem::path& path, const char* part) {
    return path.filename().string().find(part) != std::string::npos;
  };
  std::error_code ignored;  // a leftover only takes disk space
  for (const auto& entry : std::filesystem::directory_iterator(cache_dir, ignored)) {
    if (!contains(entry.path(), kCacheSuffix) || is_used(entry.path())) continue;
    std::filesystem::remove_all(entry.path(), ignored);
  }
  for (const auto& corpus : corpora) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus.folder(), ignored)) {
      if (contains(entry.path(), ".tmp")) std::filesystem::remove(entry.path(), ignored);
    }
  }
}

}  // namespace nmt
