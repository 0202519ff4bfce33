#pragma once

#include "attentions/attention_kind.h"

namespace nmt {

/// An attention that this project does not have, registered for the tests.
const AttentionKind& distance_attention();

}  // namespace nmt
