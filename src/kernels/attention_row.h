#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/matrix.h"

namespace nmt {

/// The source positions that one query attends to: row rows[i] of a matrix for i in [0, size).
/// Padding is never listed, so it has no weight and no cost.
struct AttendedRows {
  const int32_t* rows = nullptr;
  int64_t size = 0;
  const float* factors = nullptr;   // [size] f_i > 0 of the weights; null: all 1
  const float* coverage = nullptr;  // [size] C_i of the keys; null: all 0
};

/// Rows 0, 1, …, size − 1; valid until the thread's next call.
AttendedRows first_rows(int64_t size);

/// How a query is compared with a key; both are cut into `heads` parts of the same width.
///
///   score_i = scale · key_i · query                 of each head
///   score_i = scale · energy · tanh(query + key_i)  with an energy [H]; one head
///
/// With a coverage w_c [H], key_i stands for key_i + C_i w_c; one head.
struct AttentionScore {
  int64_t heads = 1;
  float scale = 1.0F;
  const float* energy = nullptr;
  const float* coverage = nullptr;
};

/// The scale of scaled dot products of H = `width` numbers, 1/√d_k of each head.
inline float score_scale(int64_t width, int64_t heads = 1) {
  const int64_t key_width = width / heads;
  return 1.0F / std::sqrt(static_cast<float>(key_width));
}

/// Where the gradients of C and w_c are added.
struct CoverageGradient {
  float* coverage = nullptr;  // [size]
  float* weight = nullptr;    // [H]
};

/// Attention of one query over its own sentence, head by head:
///   weights_i = f_i softmax_i(score)    context = Σ_i weights_i values_i
/// query, context [H]; keys, values [·, H]; weights [heads, size]
void attend(const AttentionScore& score, const float* query, ConstMatrix keys, ConstMatrix values,
            AttendedRows source, float* weights, float* context);

/// Gradient of attend() with respect to the scores and the query, from that of the context:
///   dweights_i = values_i · dcontext + weights_gradient_i
///   dscore_i   = weights_i (dweights_i − Σ_j weights_j dweights_j / f_i)
///   dquery    += Σ_i dscore_i scale keys_i
///   f_i df_i   = weights_i dweights_i
/// score_gradient [heads, size] receives scale · dscore; factor_gradient [heads, size] the last
/// line, if there are factors. weights_gradient [size]: the gradient that each head's weights have
/// other than through the context; null: 0. Not for scores with an energy.
void attend_backward(const AttentionScore& score, const float* context_gradient,
                     const float* weights, ConstMatrix keys, ConstMatrix values,
                     AttendedRows source, float* score_gradient, float* query_gradient,
                     float* factor_gradient = nullptr, const float* weights_gradient = nullptr);

/// Gradient of attend() with respect to keys and values, for one query, from the result of
/// attend_backward():
///   dvalues_i += weights_i dcontext    dkeys_i += scale dscore_i query
void attend_backward_to_source(const AttentionScore& score, const float* context_gradient,
                               const float* weights, const float* score_gradient,
                               const float* query, AttendedRows source, Matrix keys_gradient,
                               Matrix values_gradient);

/// Additional gradients with a coverage, from the score_gradient [size] of attend_backward(); s_i =
/// scale · dscore_i:
///   dC_i += s_i w_c · query    dquery += Σ_i s_i C_i w_c    dw_c += Σ_i s_i C_i query
void coverage_backward(const AttentionScore& score, const float* score_gradient, const float* query,
                       int64_t width, AttendedRows source, float* query_gradient,
                       const CoverageGradient& gradient);

/// Both gradients for a score with an energy, without factors; t_i = tanh(query + key_i), s_i =
/// scale · dscore_i:
///   dkey_i += s_i energy ⊙ (1 − t_i²)    dquery += Σ_i of the same    denergy += Σ_i s_i t_i
/// With a coverage, dw_c += Σ_i C_i dkey_i and dC_i += w_c · dkey_i; weights_gradient may be the
/// same memory as coverage_gradient.coverage, since it is read first. score_gradient [size] is
/// workspace.
void attend_backward_energy(const AttentionScore& score, const float* context_gradient,
                            const float* weights, const float* query, ConstMatrix keys,
                            ConstMatrix values, AttendedRows source, float* score_gradient,
                            float* query_gradient, Matrix keys_gradient, Matrix values_gradient,
                            float* energy_gradient, const float* weights_gradient = nullptr,
                            const CoverageGradient& coverage_gradient = {});

/// energy · tanh(x), of x [width]
float tanh_energy(int64_t width, const float* energy, const float* x);

/// Gradient of tanh_energy(), from that of the result: x_gradient = result_gradient energy ⊙ (1 −
/// tanh²(x)), energy_gradient += result_gradient tanh(x)
void tanh_energy_backward(int64_t width, float result_gradient, const float* energy, const float* x,
                          float* x_gradient, float* energy_gradient);

/// mean [size] of the weights [heads, size] over the heads; `mean` may be the memory of the first
/// head.
void average_heads(int64_t heads, int64_t size, const float* weights, float* mean);

}  // namespace nmt
