#pragma once

#include "config/objective_kind.h"

namespace nmt {

/// An objective that this project does not have, registered for the tests.
const ObjectiveKind& focal_objective();

/// Losses of batches since the tests reset it, and the one at which memory runs out.
struct FocalCalls {
  int made = 0;
  int fails_at = 0;  // 0: none
};
FocalCalls& focal_calls();

}  // namespace nmt
