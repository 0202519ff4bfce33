#pragma once

#include <torch/types.h>

#include "nn/cuda/operations.h"

namespace nmt {

/// An autograd function of LibTorch 1.13 takes no undefined tensor; an empty one stands for it.
inline torch::Tensor or_empty(const torch::Tensor& tensor) {
  return tensor.defined() ? tensor : torch::empty({0});
}

inline torch::Tensor or_undefined(const torch::Tensor& tensor) {
  return tensor.defined() && tensor.numel() == 0 ? torch::Tensor() : tensor;
}

/// Numbers from `offset` on of a tensor's memory, as rows.
inline DeviceRows rows_at(const torch::Tensor& tensor, int64_t offset, int64_t stride) {
  if (!tensor.defined()) return {};
  auto* bytes = static_cast<char*>(tensor.data_ptr());
  return {bytes + offset * static_cast<int64_t>(tensor.element_size()), stride};
}

/// Step t of a contiguous tensor [B, T, W], from `column` on: a row for each sentence.
inline DeviceRows step_rows(const torch::Tensor& tensor, int64_t step, int64_t column = 0) {
  if (!tensor.defined()) return {};
  return rows_at(tensor, step * tensor.size(2) + column, tensor.size(1) * tensor.size(2));
}

/// Step t of part i of a contiguous tensor [N, B, T, W].
inline DeviceRows part_rows(const torch::Tensor& tensor, int64_t part, int64_t step) {
  if (!tensor.defined()) return {};
  const int64_t width = tensor.size(3);
  return rows_at(tensor, part * tensor.stride(0) + step * width, tensor.size(2) * width);
}

/// Matrix i of a contiguous tensor [N, rows, columns].
inline DeviceRows matrix_rows(const torch::Tensor& matrices, int64_t i = 0) {
  return rows_at(matrices, i * matrices.stride(0), matrices.size(-1));
}

/// C = A W for W, the contiguous matrix i of `weights` […, Y, X], or A Wᵀ.
inline StepProduct weight_product(int64_t rows, const DeviceRows& a, const torch::Tensor& weights,
                                  int64_t i, const DeviceRows& c, bool transpose) {
  StepProduct product;
  product.rows = rows;
  product.columns = weights.size(transpose ? -2 : -1);
  product.depth = weights.size(transpose ? -1 : -2);
  product.a = a;
  product.b = matrix_rows(weights, i);
  product.c = c;
  product.transpose_b = transpose;
  return product;
}

/// Likewise of the first `count` matrices at once: A is step t of a part of `a` [N, B, T, W] for
/// each, C a matrix of `c`.
inline StepProduct weight_products(int64_t count, const torch::Tensor& a, int64_t step,
                                   const torch::Tensor& weights, const torch::Tensor& c,
                                   bool transpose) {
  auto product =
      weight_product(a.size(1), part_rows(a, 0, step), weights, 0, matrix_rows(c), transpose);
  product.batch = count;
  product.batch_a = a.stride(0);
  product.batch_b = weights.stride(0);
  product.batch_c = c.stride(0);
  return product;
}

}  // namespace nmt
