#pragma once

#include "explain/explanation.h"
#include "explain/omission.h"

namespace nmt {

/// Losses and attention as tables and pictures.
Explanation explain_omissions(const Omissions& omissions);

}  // namespace nmt
