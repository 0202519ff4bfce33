#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace nmt {

/// The sacreBLEU release that our scores equal; part of signatures.
constexpr char kSacrebleuVersion[] = "2.6.0";

/// Scores on fewer lines are unreliable, by several BLEU.
constexpr int64_t kFewLines = 200;

/// Reference translations of a corpus: one or several for each line.
class References {
 public:
  // Implicit: most corpora have one reference for each line.
  References(std::vector<std::string> lines);            // NOLINT(google-explicit-constructor)
  References(std::initializer_list<std::string> lines);  // NOLINT(google-explicit-constructor)

  /// One list of lines per reference file. An empty line is a missing reference, as in sacreBLEU.
  /// Throws Error unless all lists are equally long.
  explicit References(std::vector<std::vector<std::string>> files);

  size_t num_lines() const { return files_.front().size(); }

  /// The references of a line; a single empty one if no file has any.
  std::vector<std::string> of(size_t line) const;

  /// For sacreBLEU's signature: the number of references per line, or "var" if it varies. Lines
  /// without references do not count.
  std::string count() const;

 private:
  std::vector<std::vector<std::string>> files_;  // at least one
};

/// The indices of the lines with a reference in some file. Throws Error if there are none.
std::vector<size_t> lines_with_reference(const References& references);

}  // namespace nmt
