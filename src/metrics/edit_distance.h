#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nmt {

enum class Edit : char { kNone, kSubstitute, kDelete, kInsert };

/// Levenshtein distance from a hypothesis to one reference, explored in a band around the diagonal
/// as Tercom and sacreBLEU do. Words are numbers. At equal cost a substitution is preferred, then a
/// deletion of a hypothesis word, then an insertion of a reference word.
class BandedEditDistance {
 public:
  explicit BandedEditDistance(std::vector<uint32_t> reference);

  /// Distance and path; kept as the base that `distance_of_variant` starts from.
  int64_t set_base(const std::vector<uint32_t>& hypothesis);

  /// The edits that turn the base into the reference, from left to right.
  std::vector<Edit> base_path() const;

  /// Distance of a hypothesis as long as the base that equals it in its first `same_prefix` words.
  int64_t distance_of_variant(const std::vector<uint32_t>& hypothesis, size_t same_prefix);

 private:
  struct Cell {
    int32_t cost;
    Edit edit;
  };

  /// The explored columns of one row: what lies outside costs more than any path. Keeping only
  /// these makes memory grow with the length of a line, not with its square.
  struct Row {
    size_t begin = 0;
    std::vector<Cell> cells;

    int32_t cost(size_t column) const;
  };

  void fill_row(size_t i, const std::vector<uint32_t>& hypothesis, const Row& above,
                Row& row) const;

  std::vector<uint32_t> reference_;
  std::vector<Row> base_;
  std::vector<Row> variant_;
};

}  // namespace nmt
