#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace nmt {

/// The lines typed before, kept in a file that only its owner may read. Where it cannot be read or
/// written, history lasts as long as the program: nobody's sentence should fail for it.
class History {
 public:
  static constexpr size_t kMost = 1000;  // lines that are kept

  /// nmt/history in $XDG_STATE_HOME or ~/.local/state; empty where neither is set.
  static std::filesystem::path usual_file();

  /// An empty path is no file.
  explicit History(std::filesystem::path file);

  /// Oldest first.
  const std::vector<std::string>& lines() const { return lines_; }

  /// Empty lines, and one that equals the last, are left out.
  void add(const std::string& line);

 private:
  std::filesystem::path file_;
  std::vector<std::string> lines_;
};

}  // namespace nmt
