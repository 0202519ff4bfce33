#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace nmt {

/// Finds a corpus whose two texts are each in the language that the other file is named after.
class NamedLanguages {
 public:
  NamedLanguages(const std::filesystem::path& source, const std::filesystem::path& target)
      : files_{source, target} {}

  /// Counts only the first 20,000 pairs.
  void add(std::string_view source, std::string_view target);

  /// False also if the words do not show it clearly, or neither language has a list.
  bool exchanged() const;

  /// A sentence for exchanged(), or "".
  std::string warning() const;

 private:
  std::array<std::filesystem::path, 2> files_;
  std::array<int64_t, 2> own_ = {};    // common words of the file's own language, for each side
  std::array<int64_t, 2> other_ = {};  // of the other file's
  int64_t pairs_ = 0;
};

}  // namespace nmt
