#include "fused/attention_form.h"

namespace nmt {

/// The query's matrix is not folded: each head would need keys of the whole width.
AttentionForm multi_head_form(const AttentionMatrices& matrix, const ModelConfig& model) {
  AttentionForm form;
  form.key = matrix("key");
  form.value = matrix("value");
  form.query = matrix("query");
  form.output = matrix("output");
  form.heads = model.heads;
  form.scale = score_scale(model.hidden_size, model.heads);
  return form;
}

}  // namespace nmt
