#include "fused/attention_form.h"

namespace nmt {

/// W is folded into the keys.
AttentionForm general_form(const AttentionMatrices& matrix, const ModelConfig&) {
  AttentionForm form;
  form.folded = matrix("linear");
  return form;
}

}  // namespace nmt
