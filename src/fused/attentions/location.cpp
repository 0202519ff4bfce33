#include "fused/attention_form.h"

namespace nmt {

AttentionForm location_form(const AttentionMatrices& matrix, const ModelConfig&) {
  AttentionForm form;
  form.location = matrix("location");
  return form;
}

}  // namespace nmt
