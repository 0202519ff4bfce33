#pragma once

#include "config/objective_kind.h"

namespace nmt {

/// An objective that this project does not have, registered for the tests.
const ObjectiveKind& focal_objective();

}  // namespace nmt
