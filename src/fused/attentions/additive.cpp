#include "fused/attention_form.h"

namespace nmt {

/// W_k is U_a, W_q is W_a, and the energy is v of nn/attentions/additive.cpp.
AttentionForm additive_form(const AttentionMatrices& matrix, const ModelConfig&) {
  AttentionForm form;
  form.key = matrix("key");
  form.query = matrix("query");
  form.energy = matrix("energy");
  return form;
}

}  // namespace nmt
