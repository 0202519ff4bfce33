#include "fused/sinusoidal_positions.h"

#include <cmath>

namespace nmt {

// In float32, as nn/transformer.cpp: the angles of late positions depend on the rounding.
SinusoidalPositions::SinusoidalPositions(int64_t size)
    : size_(size), embedding_scale_(static_cast<float>(std::sqrt(static_cast<double>(size)))) {
  const auto exponent = static_cast<float>(-std::log(10000.0) / static_cast<double>(size));
  for (int64_t even = 0; even < size; even += 2) {
    frequencies_.push_back(std::exp(static_cast<float>(even) * exponent));
  }
}

const float* SinusoidalPositions::row(int64_t position) {
  while (static_cast<int64_t>(table_.size()) <= position * size_) {
    const int64_t rows = static_cast<int64_t>(table_.size()) / size_;
    const auto next = static_cast<float>(rows);
    for (const float frequency : frequencies_) {
      table_.push_back(std::sin(next * frequency));
      table_.push_back(std::cos(next * frequency));
    }
  }
  return table_.data() + position * size_;
}

void SinusoidalPositions::scale(const float* embedding, float* to) const {
  for (int64_t i = 0; i < size_; ++i) to[i] = embedding_scale_ * embedding[i];
}

void SinusoidalPositions::embed(const float* embedding, int64_t position, float* to) {
  const float* positions = row(position);
  for (int64_t i = 0; i < size_; ++i) to[i] = embedding_scale_ * embedding[i] + positions[i];
}

}  // namespace nmt
