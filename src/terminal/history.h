#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

/// The lines typed before, in a file that only its owner may read. If the file cannot be read or
/// written, the history lasts only as long as the program; a translation never fails because of
/// that.
class History {
 public:
  static constexpr size_t kMaxLines = 1000;  // in the file

  /// nmt/history in $XDG_STATE_HOME or ~/.local/state; empty if neither is set.
  static std::filesystem::path usual_file();

  /// With an empty path, uses no file.
  explicit History(std::filesystem::path file);

  /// Oldest first.
  const std::vector<std::string>& lines() const { return lines_; }

  /// Ignores empty lines and repetitions of the last one.
  void add(const std::string& line);

 private:
  std::filesystem::path file_;
  std::vector<std::string> lines_;
};

}  // namespace nmt
