#include "fused/attention_form.h"

namespace nmt {

AttentionForm additive_form(const AttentionMatrices& matrix, const ModelConfig&) {
  AttentionForm form;
  form.key = matrix("key");
  form.query = matrix("query");
  form.energy = matrix("energy");
  return form;
}

}  // namespace nmt
