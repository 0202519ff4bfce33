#pragma once

#include <filesystem>
#include <mutex>
#include <string>

namespace nmt {

/// A file of translations that clients propose, one JSON object per line. It may be moved away at
/// any time; add() then creates a new one. Thread-safe.
class SuggestionFile {
 public:
  /// Creates the file unless it exists. Throws Error when it cannot be written.
  explicit SuggestionFile(const std::filesystem::path& file);

  /// Throws HttpError 503 when it cannot be written or would exceed 64 MiB.
  void add(const std::string& line);

 private:
  const std::filesystem::path path_;
  std::mutex mutex_;
};

}  // namespace nmt
