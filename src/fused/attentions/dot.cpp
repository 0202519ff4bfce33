#include "fused/attention_form.h"

namespace nmt {

AttentionForm dot_form(const AttentionMatrices&, const ModelConfig&) { return {}; }

}  // namespace nmt
