#pragma once

#include <functional>
#include <string>

#include "serve/service.h"

namespace nmt {

/// Answers requests until SIGINT or SIGTERM and then those that have arrived; call it after
/// catch_interrupts(). Calls `listening` with the address once clients can connect. Throws Error
/// when it cannot listen there or start its threads.
void serve(const Translator& translator, const ServeOptions& options,
           const std::function<void(const std::string& address)>& listening);

}  // namespace nmt
