#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace nmt {

struct NamedFile {
  std::string name;  // in UTF-8, as the client gave it
  std::string content;
};

struct FileStoreOptions {
  using Clock = std::chrono::steady_clock;

  size_t max_files = 256;
  size_t max_bytes = size_t{256} << 20;  // of all files
  size_t max_file = size_t{30} << 20;    // bytes; the HTTP server sends no more than 32 MiB
  std::chrono::minutes lifetime{30};
  std::function<Clock::time_point()> now = [] { return Clock::now(); };
};

/// Files that can be fetched by whoever knows their keys, which cannot be guessed. They are unnamed
/// files on disk, so they vanish when the server ends, even by a crash. The oldest are removed to
/// make room for new ones. Thread-safe.
class FileStore {
 public:
  explicit FileStore(FileStoreOptions options = {}) : options_(std::move(options)) {}

  /// Returns the key, which is safe in a URL. Throws HttpError 413 for a file that is too large,
  /// and 503 when it cannot be stored.
  std::string add(const NamedFile& file);

  std::optional<NamedFile> find(const std::string& key) const;

  void remove_expired();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  struct Entry {
    std::string key;
    std::string name;
    size_t size = 0;
    FileStoreOptions::Clock::time_point added = {};
    std::unique_ptr<std::FILE, CloseFile> content = {};
  };

  bool is_expired(const Entry& entry) const {
    return options_.now() - entry.added >= options_.lifetime;
  }
  void remove_oldest();

  const FileStoreOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  std::list<Entry> entries_;  // oldest first
  size_t bytes_ = 0;
};

}  // namespace nmt
