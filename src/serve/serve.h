#pragma once

#include <functional>
#include <string>

#include "serve/service.h"

namespace nmt {

/// Answers requests until SIGINT or SIGTERM comes and those that have come are answered; to be
/// called after catch_interrupts(). `listening` is told the address once clients can come. Throws
/// Error when it cannot listen there.
void serve(const Translator& translator, const ServeOptions& options,
           const std::function<void(const std::string& address)>& listening);

}  // namespace nmt
