#include "attentions/equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nmt {

WorkedMatrix product(const WorkedMatrix& a, const WorkedMatrix& b) {
  WorkedMatrix result(a.size(), Row(b.front().size(), 0.0));
  for (size_t row = 0; row < a.size(); ++row) {
    for (size_t inner = 0; inner < b.size(); ++inner) {
      for (size_t column = 0; column < b[inner].size(); ++column) {
        result[row][column] += a[row][inner] * b[inner][column];
      }
    }
  }
  return result;
}

WorkedMatrix transposed(const WorkedMatrix& a) {
  WorkedMatrix result(a.front().size(), Row(a.size()));
  for (size_t row = 0; row < a.size(); ++row) {
    for (size_t column = 0; column < a[row].size(); ++column) result[column][row] = a[row][column];
  }
  return result;
}

WorkedMatrix side_by_side(const std::vector<WorkedMatrix>& parts) {
  WorkedMatrix result(parts.front().size());
  for (const auto& part : parts) {
    for (size_t row = 0; row < part.size(); ++row) {
      result[row].insert(result[row].end(), part[row].begin(), part[row].end());
    }
  }
  return result;
}

WorkedMatrix dot_scores(const WorkedMatrix& queries, const WorkedMatrix& keys) {
  return product(queries, transposed(keys));
}

WorkedMatrix additive_scores(const WorkedMatrix& queries, const WorkedMatrix& keys, const Row& v) {
  WorkedMatrix scores(queries.size(), Row(keys.size(), 0.0));
  for (size_t t = 0; t < queries.size(); ++t) {
    for (size_t i = 0; i < keys.size(); ++i) {
      for (size_t a = 0; a < v.size(); ++a) {
        scores[t][i] += v[a] * std::tanh(queries[t][a] + keys[i][a]);
      }
    }
  }
  return scores;
}

WorkedMatrix scaled(const WorkedMatrix& scores, double divisor) {
  auto result = scores;
  for (auto& row : result) {
    for (auto& score : row) score /= divisor;
  }
  return result;
}

WorkedMatrix masked(const WorkedMatrix& scores, const Mask& mask) {
  auto result = scores;
  for (size_t t = 0; t < result.size(); ++t) {
    for (size_t i = 0; i < result[t].size(); ++i) {
      if (mask[t][i]) result[t][i] = -std::numeric_limits<double>::infinity();
    }
  }
  return result;
}

WorkedMatrix softmax(const WorkedMatrix& scores) {
  auto weights = scores;
  for (auto& row : weights) {
    // exp(s − m) / Σ exp(s − m) is the same for any m; the maximum prevents overflow.
    const double largest = *std::max_element(row.begin(), row.end());
    double sum = 0.0;
    for (auto& value : row) sum += value = std::exp(value - largest);
    for (auto& value : row) value /= sum;
  }
  return weights;
}

WorkedMatrix predicted_positions(const WorkedMatrix& x, const Row& v, size_t keys) {
  WorkedMatrix positions;
  for (const auto& row : x) {
    double sum = 0.0;
    for (size_t a = 0; a < v.size(); ++a) sum += v[a] * std::tanh(row[a]);
    positions.push_back({static_cast<double>(keys) / (1.0 + std::exp(-sum))});
  }
  return positions;
}

Mask window_mask(const WorkedMatrix& positions, size_t keys, double half_width) {
  Mask mask(positions.size(), std::vector<bool>(keys, false));
  for (size_t t = 0; t < positions.size(); ++t) {
    for (size_t i = 0; i < keys; ++i) {
      mask[t][i] = std::abs(static_cast<double>(i + 1) - positions[t][0]) > half_width;
    }
  }
  return mask;
}

WorkedMatrix gaussian_weights(const WorkedMatrix& weights, const WorkedMatrix& positions,
                              double deviation) {
  auto result = weights;
  for (size_t t = 0; t < result.size(); ++t) {
    for (size_t i = 0; i < result[t].size(); ++i) {
      const double distance = static_cast<double>(i + 1) - positions[t][0];
      result[t][i] *= std::exp(-distance * distance / (2.0 * deviation * deviation));
    }
  }
  return result;
}

WorkedMatrix weighted_sum(const WorkedMatrix& weights, const WorkedMatrix& values) {
  return product(weights, values);
}

WorkedMatrix last_alone(size_t queries, size_t keys) {
  Row row(keys, 0.0);
  row.back() = 1.0;
  return WorkedMatrix(queries, row);
}

}  // namespace nmt
