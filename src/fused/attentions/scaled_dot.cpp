#include "fused/attention_form.h"

namespace nmt {

AttentionForm scaled_dot_form(const AttentionMatrices& matrix, const ModelConfig& model) {
  AttentionForm form;
  form.key = matrix("key");
  form.folded = matrix("query");
  form.value = matrix("value");
  form.scale = score_scale(model.hidden_size);
  return form;
}

}  // namespace nmt
