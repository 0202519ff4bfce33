#include "data/parallel_corpus.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "data/corpus_cache.h"

namespace nmt {
namespace {

constexpr size_t kSliceBytes = size_t{1} << 26;

}  // namespace

struct ParallelCorpus::Mapping {
  const char* bytes = nullptr;
  size_t size = 0;
  const CacheHeader* header = nullptr;
  const int32_t* tokens = nullptr;
  const uint64_t* offsets = nullptr;
  const uint32_t* lines = nullptr;
  std::filesystem::path file;

  Mapping() = default;
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    if (bytes != nullptr) ::munmap(const_cast<char*>(bytes), size);
  }

  bool map(const std::filesystem::path& path);
  bool resolve(const std::string& key);
  bool is_whole() const;
};

bool ParallelCorpus::Mapping::map(const std::filesystem::path& path) {
  file = path;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat status {};
  const bool readable = ::fstat(descriptor, &status) == 0 &&
                        status.st_size >= static_cast<off_t>(sizeof(CacheHeader));
  if (readable) {
    size = static_cast<size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (mapped != MAP_FAILED) bytes = static_cast<const char*>(mapped);
  }
  ::close(descriptor);
  return bytes != nullptr;
}

bool ParallelCorpus::Mapping::resolve(const std::string& key) {
  header = reinterpret_cast<const CacheHeader*>(bytes);
  if (std::memcmp(header->magic, kCacheMagic, sizeof(header->magic)) != 0) return false;
  if (key.size() != sizeof(header->key) ||
      key.compare(0, key.size(), header->key, key.size()) != 0) {
    return false;
  }
  const auto kept = static_cast<uint64_t>(header->report.kept);
  if (header->file_size != size || kept > size || header->num_tokens > size) return false;
  const size_t token_bytes = (header->num_tokens * sizeof(int32_t) + 7) / 8 * 8;
  const size_t offset_bytes = (2 * kept + 1) * sizeof(uint64_t);
  if (sizeof(CacheHeader) + token_bytes + offset_bytes + kept * sizeof(uint32_t) != size)
    return false;
  tokens = reinterpret_cast<const int32_t*>(bytes + sizeof(CacheHeader));
  offsets = reinterpret_cast<const uint64_t*>(bytes + sizeof(CacheHeader) + token_bytes);
  lines =
      reinterpret_cast<const uint32_t*>(bytes + sizeof(CacheHeader) + token_bytes + offset_bytes);
  return is_whole();
}

// Reads the whole file once: a changed token could be one that the vocabulary does not have.
bool ParallelCorpus::Mapping::is_whole() const {
  uint64_t checksum = 0;
  for (size_t begin = sizeof(CacheHeader); begin < size; begin += kSliceBytes) {
    const size_t slice = std::min(kSliceBytes, size - begin);
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes + begin), slice);
    // The pages read stay in the system's cache without counting as this program's memory.
    ::madvise(const_cast<char*>(bytes), size, MADV_DONTNEED);
  }
  return header_checksum(*header, checksum) == header->checksum;
}

std::optional<ParallelCorpus> ParallelCorpus::open(const std::filesystem::path& cache_file,
                                                   const std::string& key) {
  auto mapping = std::make_shared<Mapping>();
  if (!mapping->map(cache_file) || !mapping->resolve(key)) return std::nullopt;
  ParallelCorpus corpus;
  corpus.mapping_ = std::move(mapping);
  return corpus;
}

int64_t ParallelCorpus::size() const { return mapping_->header->report.kept; }

TokenSpan ParallelCorpus::source(int64_t pair) const {
  const uint64_t* at = mapping_->offsets + 2 * pair;
  return {mapping_->tokens + at[0], at[1] - at[0]};
}

TokenSpan ParallelCorpus::target(int64_t pair) const {
  const uint64_t* at = mapping_->offsets + 2 * pair + 1;
  return {mapping_->tokens + at[0], at[1] - at[0]};
}

int64_t ParallelCorpus::line(int64_t pair) const { return int64_t{mapping_->lines[pair]} + 1; }

const std::filesystem::path& ParallelCorpus::file() const { return mapping_->file; }

const CorpusReport& ParallelCorpus::report() const { return mapping_->header->report; }

}  // namespace nmt
