#include "fused/attention_form.h"

namespace nmt {

AttentionForm local_p_form(const AttentionMatrices& matrix, const ModelConfig&) {
  AttentionForm form;
  form.folded = matrix("linear");
  form.position = matrix("position");
  form.center = matrix("center");
  return form;
}

}  // namespace nmt
