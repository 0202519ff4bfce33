#include "train/steps/fused_adafactor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/optimizer_update.h"
#include "kernels/part.h"
#include "train/steps/adafactor.h"

namespace nmt {
namespace {

float blended(double beta2, float moment, double squares) {
  return static_cast<float>(beta2 * moment + (1.0 - beta2) * (squares + kAdafactorEpsilon));
}

}  // namespace

FusedAdafactor::FusedAdafactor(std::vector<FlatParameter> parameters, double weight_decay)
    : parameters_(std::move(parameters)), weight_decay_(weight_decay) {
  int64_t size = 0;
  for (const auto& parameter : parameters_) {
    places_.push_back(size);
    columns_before_.push_back(all_columns_);
    size += parameter.rows + parameter.columns;
    if (parameter.rows > 0) all_columns_ += parameter.columns;
  }
  moments_.take_zeros(1, size);
  column_factors_.take_zeros(1, all_columns_);
  row_means_.resize(parameters_.size());
}

void FusedAdafactor::reset() {
  const auto& moments = moments_.matrix();
  std::fill_n(moments.data, moments.columns, 0.0F);
}

void FusedAdafactor::update(int64_t step, double learning_rate, double gradient_scale,
                            float* parameters, float* gradient, ThreadTeam& team) {
  const int members = team.size();
  const double beta2 = adafactor_beta2(step);
  column_sums_.take_zeros(members, all_columns_);
  update_squares_.assign(static_cast<size_t>(members) * parameters_.size(), 0.0);
  team.run([&](int member) { square(member, members, beta2, gradient_scale, gradient); });
  combine(members, beta2);
  team.run([&](int member) { scale(member, members, beta2, gradient_scale, gradient); });
  std::vector<float> step_sizes;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    double squares = 0.0;
    for (size_t member = 0; member < static_cast<size_t>(members); ++member) {
      squares += update_squares_[member * parameters_.size() + i];
    }
    const double rms = std::sqrt(squares / static_cast<double>(parameters_[i].size()));
    step_sizes.push_back(static_cast<float>(learning_rate * parameters_[i].factor /
                                            std::max(1.0, rms / kAdafactorMaxUpdateRms)));
  }
  team.run([&](int member) {
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const auto& parameter = parameters_[i];
      const auto part = part_of(parameter.size(), member, members);
      const int64_t begin = parameter.offset + part.first;
      const double shrinkage = 1.0 - learning_rate * parameter.factor * weight_decay_;
      move_parameters(step_sizes[i], static_cast<float>(shrinkage), part.count, parameters + begin,
                      gradient + begin);
    }
  });
}

/// Updates the moments of this member's rows and adds the rows to its column sums.
void FusedAdafactor::square(int member, int members, double beta2, double scale,
                            const float* gradient) {
  const auto sums = column_sums_.matrix();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& parameter = parameters_[i];
    const auto rows = rows_of(parameter.rows, member, members);
    for (int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      const double sum = add_squares(parameter.columns, static_cast<float>(scale),
                                     gradient + parameter.offset + row * parameter.columns,
                                     sums.data + member * all_columns_ + columns_before_[i]);
      float& moment = row_moment(i)[row];
      moment = blended(beta2, moment, sum / static_cast<double>(parameter.columns));
    }
  }
}

/// Updates the column moments and computes the factors for scale().
void FusedAdafactor::combine(int members, double beta2) {
  const float* sums = column_sums_.matrix().data;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& parameter = parameters_[i];
    if (parameter.rows == 0) continue;
    for (int64_t column = 0; column < parameter.columns; ++column) {
      double sum = 0.0;
      for (int member = 0; member < members; ++member) {
        sum += sums[member * all_columns_ + columns_before_[i] + column];
      }
      float& moment = column_moment(i)[column];
      moment = blended(beta2, moment, sum / static_cast<double>(parameter.rows));
      column_factors_.matrix().data[columns_before_[i] + column] = 1.0F / std::sqrt(moment);
    }
    double sum = 0.0;
    for (int64_t row = 0; row < parameter.rows; ++row) sum += row_moment(i)[row];
    row_means_[i] = sum / static_cast<double>(parameter.rows);
  }
}

/// Replaces this member's part of the gradient by the update U.
void FusedAdafactor::scale(int member, int members, double beta2, double scale, float* gradient) {
  SecondMomentStep step;
  step.beta2 = static_cast<float>(beta2);
  step.one_minus_beta2 = static_cast<float>(1.0 - beta2);
  step.epsilon = static_cast<float>(kAdafactorEpsilon);
  step.gradient_scale = static_cast<float>(scale);
  const float* column_factors = column_factors_.matrix().data;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const auto& parameter = parameters_[i];
    double squares = 0.0;
    if (parameter.rows == 0) {
      const auto part = part_of(parameter.columns, member, members);
      squares = scale_by_second_moment(step, part.count, gradient + parameter.offset + part.first,
                                       column_moment(i) + part.first);
    }
    const auto rows = rows_of(parameter.rows, member, members);
    for (int64_t row = rows.first; row < rows.first + rows.count; ++row) {
      const double factor = scale * std::sqrt(row_means_[i] / row_moment(i)[row]);
      squares += scale_row(parameter.columns, static_cast<float>(factor),
                           column_factors + columns_before_[i],
                           gradient + parameter.offset + row * parameter.columns);
    }
    update_squares_[static_cast<size_t>(member) * parameters_.size() + i] = squares;
  }
}

}  // namespace nmt
