#include "fused/attention_form.h"

namespace nmt {

AttentionForm none_form(const AttentionMatrices&, const ModelConfig&) {
  AttentionForm form;
  form.attends = false;
  return form;
}

}  // namespace nmt
