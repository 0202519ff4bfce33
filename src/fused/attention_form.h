#pragma once

#include <functional>

#include "attentions/attention_kind.h"
#include "config/settings.h"
#include "fused/parameter.h"
#include "kernels/attention_row.h"

namespace nmt {

/// An attention as the fused engine computes it, forward, backward and packed for inference:
///
///   key_i   = W_fᵀ W_k h_src,i      value_i = W_v h_src,i      query = W_q h_t
///   weights = f_i softmax(score(query, key_i))                 c_t   = W_O Σ_i weights_i value_i
///
/// with the scores of kernels/attention_row.h. Matrices that a kind lacks are the identity. W_f is
/// a matrix of the query that is folded into the keys, since (W_f h_t) · k = h_t · (W_fᵀ k): keys
/// are computed once per sentence, queries at every step. With W_a, key_i is row i of W_a, and
/// positions beyond its rows are not attended to. With W_p, the attention is local: positions and
/// f_i are those of fused/local_window.h. Monotonic attention is local too, but with all f_i = 1,
/// as without W_p. With w_c, the score's key is key_i + W_fᵀ w_c C_i, with the coverage C of
/// fused/coverage.h.
///
/// Not computed, and refused by attention_form(): an energy with W_f or W_p; several heads with
/// W_f, W_p, an energy or w_c; W_a with W_k, W_f or a local window; w_c with W_a or a local window.
struct AttentionForm {
  bool attends = true;  // false: there is no context; all else is unused
  Parameter key;        // W_k  [H, H]
  Parameter folded;     // W_f  [H, H]  of the query, folded into the keys
  Parameter value;      // W_v  [H, H]
  Parameter query;      // W_q  [H, H]
  Parameter output;     // W_O  [H, H]
  Parameter energy;     // [1, H]  of the additive score
  Parameter location;   // W_a  [positions, H]
  Parameter position;   // W_p  [H, H]  of local attention
  Parameter center;     // v_p  [1, H]  of local attention
  Parameter coverage;   // w_c  [1, H]
  bool monotonic = false;
  bool copied_from = false;  // model.copy: the loss reads the weights and gives them a gradient
  int64_t heads = 1;
  float scale = 1.0F;
};

/// A matrix of the attention by its name (AttentionKind::matrices).
using AttentionMatrices = std::function<Parameter(const char* name)>;

// Defined in fused/attentions/NAME.cpp, beside nn/attentions/NAME.cpp, which states the equation.
#define NMT_DECLARE_FORM(name) \
  AttentionForm name##_form(const AttentionMatrices& matrix, const ModelConfig& model);
NMT_ATTENTIONS(NMT_DECLARE_FORM)
#undef NMT_DECLARE_FORM

/// Whether the fused engine computes the kind.
bool has_attention_form(const AttentionKind& kind);

/// The form of model.attention, whose matrices are named attn.NAME.weight. Throws
/// std::logic_error if it combines what is not computed together.
AttentionForm attention_form(const ModelConfig& model, const ParameterTable& parameters);

}  // namespace nmt
