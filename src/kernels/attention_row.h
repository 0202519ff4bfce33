#pragma once

#include <cstdint>

#include "kernels/matrix.h"

namespace nmt {

/// The source positions that one query attends to: row rows[i] of a matrix for i in [0, size).
/// Padding is never listed, so it has no weight and no cost.
struct AttendedRows {
  const int32_t* rows = nullptr;
  int64_t size = 0;
};

/// Attention of one query over its own sentence:
///   score_i = keys_i · query    weights = softmax(score)    context = Σ_i weights_i values_i
/// query, context [H]; keys, values [·, H]; weights [size]
void attend(const float* query, ConstMatrix keys, ConstMatrix values, AttendedRows source,
            float* weights, float* context);

/// Its gradient on the query's side, from that of the context:
///   dweights_i = values_i · dcontext    dscore_i = weights_i (dweights_i − Σ_j weights_j
///   dweights_j) dquery += Σ_i dscore_i keys_i
void attend_backward(const float* context_gradient, const float* weights, ConstMatrix keys,
                     ConstMatrix values, AttendedRows source, float* score_gradient,
                     float* query_gradient);

/// Its gradient on the source's side, of one query:
///   dvalues_i += weights_i dcontext    dkeys_i += dscore_i query
void attend_backward_to_source(const float* context_gradient, const float* weights,
                               const float* score_gradient, const float* query, AttendedRows source,
                               Matrix keys_gradient, Matrix values_gradient);

}  // namespace nmt
