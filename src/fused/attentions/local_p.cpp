#include "fused/attention_form.h"

namespace nmt {

/// W is folded into the keys; W_p and v_p make the window.
AttentionForm local_p_form(const AttentionMatrices& matrix, const ModelConfig&) {
  AttentionForm form;
  form.folded = matrix("linear");
  form.position = matrix("position");
  form.center = matrix("center");
  return form;
}

}  // namespace nmt
