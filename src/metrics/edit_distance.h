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

  /// Returns the distance and keeps the hypothesis as the base for base_path() and
  /// distance_of_variant().
  int64_t set_base(const std::vector<uint32_t>& hypothesis);

  /// The edits that turn the base into the reference, from left to right.
  std::vector<Edit> base_path() const;

  /// Distance of a hypothesis of the same length as the base, whose first `same_prefix` words equal
  /// the base's.
  int64_t distance_of_variant(const std::vector<uint32_t>& hypothesis, size_t same_prefix);

 private:
  struct Cell {
    int32_t cost;
    Edit edit;
  };

  /// The explored columns of one row; others have a prohibitive cost. Memory is linear in the
  /// line's length, not quadratic.
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
