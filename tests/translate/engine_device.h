#pragma once

#include <string>

#include "support/test_device_name.h"
#include "translate/translator.h"

namespace nmt {

/// Where an engine computes in the tests: the fused engine on the CPU alone.
inline std::string device_of(TranslationEngine engine) {
  return engine == TranslationEngine::kFused ? "cpu" : test_device_name();
}

}  // namespace nmt
