#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fused/attention_form.h"
#include "fused/buffer.h"
#include "kernels/attention_row.h"
#include "kernels/packed_weight.h"

namespace nmt {

/// Attention (nn/attention.h; in training fused/attention.h) for inference, with all products that
/// read only the source merged into two:
///
///   key_i = (W_fᵀ W_k) h_src,i        value_i = W_cc W_v h_src,i
///
/// where W_cc are the columns of W_c for c_t, so that the weighted sum of values is W_cc c_t.
/// With W_O, the values are W_v h_src,i, and their weighted sum is multiplied by W_cc W_O. With
/// W_a, key_i is row i of W_a. With w_c, the score's key is key_i + W_fᵀ w_c C_i. Shared by
/// threads.
class PackedAttention {
 public:
  /// context_weight [H, H] W_cc; empty without attention.
  PackedAttention(const AttentionForm& form, ConstMatrix context_weight, WeightType type);

  bool attends() const { return attends_; }

  /// States [S, H] h_src -> keys, values [S, H]
  void prepare(ConstMatrix states, Buffer& keys, Buffer& values) const;

  /// A query's source.
  struct Source {
    ConstMatrix keys;
    ConstMatrix values;
    int64_t parent;  // the query's row in the previous step; negative: none
  };

  /// The memory of one thread, which takes one step after the other.
  class Workspace {
   public:
    /// The weights [longest source] of a row of the last step, averaged over heads.
    const float* weights(int64_t row) const { return weights_.matrix().row(row); }

   private:
    friend class PackedAttention;
    std::vector<int64_t> steps_;         // [N]  of the queries, from 0
    std::vector<int64_t> steps_before_;  // [·]  of the queries of the previous step
    Buffer attended_;                    // [N, longest source]  weights so far, with w_c
    Buffer attended_before_;             // at the end of the previous step
    Buffer queries_;                     // [N, H]
    Buffer head_weights_;                // [heads, longest source]
    Buffer weights_;                     // [N, longest source]
    Buffer contexts_;                    // [N, H]
    Buffer positions_;                   // [N, H]  W_p h_t
    Buffer factors_;                     // [1, longest source]
    Buffer projected_;                   // [N, H]
  };

  /// Adds W_cc c_t of each decoder state [N, H] to `projected` [N, H].
  void attend(ConstMatrix decoder_states, const std::vector<Source>& sources, Workspace& workspace,
              Matrix projected) const;

 private:
  void begin_coverage(const std::vector<Source>& sources, int64_t longest,
                      Workspace& workspace) const;
  AttendedRows seen(int64_t row, AttendedRows source, Workspace& workspace) const;

  bool attends_;
  bool monotonic_;
  AttentionScore score_;
  Buffer coverage_;  // [1, H] W_fᵀ w_c
  std::optional<PackedWeight> query_;
  std::optional<PackedWeight> keys_;
  std::optional<PackedWeight> values_;
  std::optional<PackedWeight> output_;
  std::optional<PackedWeight> position_;  // W_p of local attention
  ConstMatrix center_;                    // [1, H] v_p
  ConstMatrix location_;                  // [positions, H] W_a
};

}  // namespace nmt
