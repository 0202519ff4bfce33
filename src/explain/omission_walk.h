#pragma once

#include <string>

#include "explain/explanation.h"
#include "explain/omission.h"

namespace nmt {

/// Losses and attention as tables and pictures, and how far both agree.
Explanation explain_omissions(const Omissions& omissions);

/// An object on one line (docs/explain.md).
std::string omissions_json(const Omissions& omissions);

}  // namespace nmt
