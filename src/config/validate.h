#pragma once

#include "config/settings.h"

namespace nmt {

/// Throws Error "SECTION.KEY: VALUE is out of range …" for the first setting that cannot work.
void validate(const Settings& settings);

/// Checks only what does not depend on settings still to be chosen.
void validate_given(const Settings& settings);

/// Checks only what describes the network, all that a stored model needs.
void validate_model(const Settings& settings);

}  // namespace nmt
