#pragma once

#include <filesystem>
#include <mutex>
#include <string>

namespace nmt {

/// A file of translations that clients propose, one JSON object per line. Thread-safe.
class SuggestionFile {
 public:
  /// Creates the file unless it exists. Throws Error when it cannot be written.
  explicit SuggestionFile(const std::filesystem::path& file);
  ~SuggestionFile();
  SuggestionFile(const SuggestionFile&) = delete;
  SuggestionFile& operator=(const SuggestionFile&) = delete;

  /// Throws HttpError 503 when it cannot be written or would exceed 64 MiB.
  void add(const std::string& line);

 private:
  std::mutex mutex_;
  int file_;
};

}  // namespace nmt
