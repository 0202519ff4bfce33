#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "data/corpus_cache.h"
#include "files/mapped_file.h"

namespace nmt {

/// Token ids of one sentence, without BOS and EOS, inside a mapped shard.
struct TokenSpan {
  const int32_t* data = nullptr;
  size_t size = 0;

  const int32_t* begin() const { return data; }
  const int32_t* end() const { return data + size; }
};

/// A file of a corpus cache, mapped into memory. Immutable.
class CorpusShard {
 public:
  enum class Check { kWhole, kHeader };

  /// Null if the file is missing, damaged, of another format, shard number or key. Check::kHeader
  /// does not verify the content; use it only for a file just written.
  static std::shared_ptr<const CorpusShard> open(const std::filesystem::path& folder,
                                                 const std::string& key, uint64_t shard,
                                                 Check check);

  const ShardHeader& header() const { return *header_; }
  TokenSpan source(uint64_t pair) const { return span(3 * pair); }
  TokenSpan target(uint64_t pair) const { return span(3 * pair + 1); }

  /// Weight of the pair's loss.
  float weight(uint64_t pair) const;

  /// Aligned tokens: source token, target token, source token, …
  TokenSpan links(uint64_t pair) const;

  /// Releases the mapped pages that were read; reading them again maps them again.
  void release_pages() const;

 private:
  explicit CorpusShard(const std::filesystem::path& path)
      : file_(path, MappedFile::Access::kRead), bytes_(file_.bytes()) {}
  bool resolve(const std::string& key, uint64_t shard);
  bool is_whole() const;
  bool holds_its_pairs() const;
  bool holds_its_links(uint64_t pair) const;
  TokenSpan notes(uint64_t pair) const { return span(3 * pair + 2); }
  TokenSpan span(uint64_t index) const {
    return {tokens_ + offsets_[index], offsets_[index + 1] - offsets_[index]};
  }

  MappedFile file_;
  std::string_view bytes_;
  const ShardHeader* header_ = nullptr;
  const int32_t* tokens_ = nullptr;
  const uint64_t* offsets_ = nullptr;
};

}  // namespace nmt
