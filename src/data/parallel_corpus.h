#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "data/corpus_report.h"

namespace nmt {

/// Token ids of one sentence, without BOS and EOS, inside a mapped corpus.
struct TokenSpan {
  const int32_t* data = nullptr;
  size_t size = 0;

  const int32_t* begin() const { return data; }
  const int32_t* end() const { return data + size; }
};

/// A tokenised parallel corpus on disk, mapped into memory: however large it is, the system keeps
/// only the parts in use. Immutable; cheap to copy; may be read by several threads.
class ParallelCorpus {
 public:
  /// Nothing when the file is missing, damaged, of another format or made under another key.
  static std::optional<ParallelCorpus> open(const std::filesystem::path& cache_file,
                                            const std::string& key);

  int64_t size() const;
  TokenSpan source(int64_t pair) const;
  TokenSpan target(int64_t pair) const;

  /// 1-based line of the pair in the text files.
  int64_t line(int64_t pair) const;

  const CorpusReport& report() const;

  const std::filesystem::path& file() const;

 private:
  struct Mapping;
  std::shared_ptr<const Mapping> mapping_;
};

}  // namespace nmt
