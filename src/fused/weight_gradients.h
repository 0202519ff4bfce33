#pragma once

#include <cstdint>
#include <vector>

#include "fused/parameter.h"

namespace nmt {

/// Contributions of one share of a batch to the parameters' gradients, recorded during the backward
/// pass and summed afterwards. Threads that each sum a part of every gradient over all shares need
/// no gradients of their own, and one large product replaces autograd's thin product at every step.
class WeightGradients {
 public:
  explicit WeightGradients(ProductPrecision precision) : precision_(precision) {}

  /// gradient [O, I] += dyᵀ x        dy [N, O], x [N, I]
  void add_product(Matrix gradient, const Factor& dy, ConstMatrix x) {
    products_.push_back({gradient, dy, x});
  }

  /// gradient [1, O] += Σ rows of dy
  void add_column_sums(Matrix gradient, ConstMatrix dy) { column_sums_.push_back({gradient, dy}); }

  /// Rows `ids` of gradient [V, E] += dx [N, E]
  void add_rows(Matrix gradient, const std::vector<int64_t>& ids, ConstMatrix dx) {
    rows_.push_back({gradient, &ids, dx});
  }

  /// Sums the member-th of `members` parts of every gradient. The recorded operands must still be
  /// unchanged.
  void sum_part(int member, int members) const;

  void clear();

 private:
  struct Product {
    Matrix gradient;
    Factor dy;
    ConstMatrix x;
  };
  struct ColumnSums {
    Matrix gradient;
    ConstMatrix dy;
  };
  struct Rows {
    Matrix gradient;
    const std::vector<int64_t>* ids;
    ConstMatrix dx;
  };

  void sum_part(const Product& product, int member, int members) const;

  ProductPrecision precision_;
  std::vector<Product> products_;
  std::vector<ColumnSums> column_sums_;
  std::vector<Rows> rows_;
};

}  // namespace nmt
