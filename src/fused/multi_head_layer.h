#pragma once

#include <cstdint>
#include <string>

#include "fused/buffer.h"
#include "fused/parameter.h"
#include "fused/sentence_rows.h"
#include "fused/weight_gradients.h"
#include "kernels/attention_row.h"

namespace nmt {

/// What a query sees: all memory rows of its sentence, or only those up to and including its own
/// position.
enum class AttentionMask { kFull, kCausal };

/// Multi-head attention (nn/attentions/multi_head.cpp; Vaswani et al. 2017, section 3.2.2) of all
/// positions of a batch to a memory, sentence by sentence, forward and backward:
///
///   head_j = softmax(Q_j K_jᵀ / √d) V_j        y = [head_1 ; … ; head_n] W_Oᵀ
///
/// with Q = x W_Qᵀ, K = m W_Kᵀ, V = m W_Vᵀ cut into n heads of d columns.
class MultiHeadLayer {
 public:
  /// Gradients that WeightGradients refers to until they are summed; layers may share them.
  struct Workspace {
    Buffer contexts;  // [rows of x, H]
    Buffer queries;   // [rows of x, H]
    Buffer memory;    // [rows of m, 2H]  of keys, of values
  };

  /// The parameters `prefix`query.weight, key, value and output.
  MultiHeadLayer(const ParameterTable& parameters, const std::string& prefix, int64_t heads);

  /// x [rows, H] and m [rows of m, H] -> y [rows, H]. All but y must stay in place until the
  /// gradients are summed.
  void forward(const SentenceRows& rows, ConstMatrix x, const SentenceRows& memory_rows,
               ConstMatrix memory, AttentionMask mask, Matrix y);

  /// From dy, the gradient of y: overwrites dx with the gradient of x, then adds the gradient of m
  /// to dm, which may be the same matrix as dx. dy must stay in place until the gradients are
  /// summed.
  void backward(ConstMatrix dy, Workspace& workspace, Matrix dx, Matrix dm,
                WeightGradients& gradients);

 private:
  template <typename Task>
  void for_each_query(Task&& task);

  Parameter query_;
  Parameter key_;
  Parameter value_;
  Parameter output_;
  AttentionScore score_;
  const SentenceRows* rows_ = nullptr;
  const SentenceRows* memory_rows_ = nullptr;
  AttentionMask mask_ = AttentionMask::kFull;
  ConstMatrix x_;
  ConstMatrix memory_;
  Buffer queries_;         // [rows, H]
  Buffer keys_values_;     // [rows of m, 2H]
  Buffer contexts_;        // [rows, H]
  Buffer weights_;         // [1, Σ heads · visible rows]  of every query
  Buffer score_gradient_;  // [heads, longest]  of one query
};

}  // namespace nmt
