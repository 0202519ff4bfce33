#pragma once

#include "config/settings.h"

namespace nmt {

/// Throws Error "SECTION.KEY: VALUE is out of range …" for the first setting that cannot work.
void validate(const Settings& settings);

/// Checks only what does not depend on settings still to be chosen.
void validate_given(const Settings& settings);

/// Throws Error for settings of the network that have no effect on it. Models that exist may have
/// them.
void require_effects(const ModelConfig& model);

/// Checks only what describes the network, all that a stored model needs.
void validate_model(const Settings& settings);

}  // namespace nmt
