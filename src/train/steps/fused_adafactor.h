#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fused/buffer.h"
#include "threads/thread_team.h"
#include "train/steps/flat_parameters.h"

namespace nmt {

/// Adafactor over flat parameters (equations: adafactor.h), shared among the team.
class FusedAdafactor {
 public:
  FusedAdafactor(std::vector<FlatParameter> parameters, double weight_decay);

  /// Applies update number `step`, from 1, with the gradient times gradient_scale, and zeroes the
  /// gradient.
  void update(int64_t step, double learning_rate, double gradient_scale, float* parameters,
              float* gradient, ThreadTeam& team);

  void reset();

  const std::vector<FlatParameter>& parameters() const { return parameters_; }

  /// Moments of the i-th parameter: [rows] and [columns] for a matrix; null and [columns] for a
  /// vector.
  float* row_moment(size_t i) const { return parameters_[i].rows == 0 ? nullptr : moment(i); }
  float* column_moment(size_t i) const { return moment(i) + parameters_[i].rows; }

 private:
  float* moment(size_t i) const { return moments_.matrix().data + places_[i]; }
  void square(int member, int members, double beta2, double scale, const float* gradient);
  void combine(int members, double beta2);
  void scale(int member, int members, double beta2, double scale, float* gradient);

  std::vector<FlatParameter> parameters_;
  double weight_decay_;
  std::vector<int64_t> places_;          // offset of each parameter's moments
  std::vector<int64_t> columns_before_;  // total columns of the matrices before each parameter
  int64_t all_columns_ = 0;              // of all matrices
  Buffer moments_;
  Buffer column_sums_;                  // [members, all_columns_]
  Buffer column_factors_;               // [1, all_columns_]: 1/√c
  std::vector<double> row_means_;       // of each matrix's row moments
  std::vector<double> update_squares_;  // [members, parameters]
};

}  // namespace nmt
