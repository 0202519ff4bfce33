#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace nmt {

/// The sacreBLEU release whose figures ours equal, as its signatures name it.
constexpr char kSacrebleuVersion[] = "2.6.0";

/// The scores of fewer lines are rough: give or take several BLEU.
constexpr int64_t kFewLines = 200;

/// Reference translations of a corpus: one or several for each line.
class References {
 public:
  // Implicit: most corpora have one reference for each line.
  References(std::vector<std::string> lines);            // NOLINT(google-explicit-constructor)
  References(std::initializer_list<std::string> lines);  // NOLINT(google-explicit-constructor)

  /// Of several files. An empty line means that the file has no reference for it, as in sacreBLEU.
  /// Throws Error unless all have equally many lines.
  explicit References(std::vector<std::vector<std::string>> files);

  size_t num_lines() const { return files_.front().size(); }

  /// Those of a line; one empty reference where no file has any.
  std::vector<std::string> of(size_t line) const;

  /// As sacreBLEU's signature gives it: how many each line that has any has, or "var".
  std::string count() const;

 private:
  std::vector<std::vector<std::string>> files_;  // at least one
};

/// Those for which a file has a reference, from 0. Throws Error if there are none.
std::vector<size_t> lines_with_reference(const References& references);

}  // namespace nmt
