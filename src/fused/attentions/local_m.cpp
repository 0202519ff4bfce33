#include "fused/attention_form.h"

namespace nmt {

/// W is folded into the keys.
AttentionForm local_m_form(const AttentionMatrices& matrix, const ModelConfig&) {
  AttentionForm form;
  form.folded = matrix("linear");
  form.monotonic = true;
  return form;
}

}  // namespace nmt
