#pragma once

#include "config/settings.h"

namespace nmt {

/// Throws Error "SECTION.KEY: VALUE is out of range …" for the first setting that cannot work.
void validate(const Settings& settings);

/// The same of what describes the network alone: a stored model needs no more.
void validate_model(const Settings& settings);

}  // namespace nmt
