#include "fused/attention_form.h"

namespace nmt {

/// W_Q is folded into the keys; W_k is W_K, W_v is W_V.
AttentionForm scaled_dot_form(const AttentionMatrices& matrix, const ModelConfig& model) {
  AttentionForm form;
  form.key = matrix("key");
  form.folded = matrix("query");
  form.value = matrix("value");
  form.scale = score_scale(model.hidden_size);
  return form;
}

}  // namespace nmt
