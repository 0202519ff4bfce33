#pragma once

#include <memory>
#include <string>

#include "translate/engine.h"

namespace nmt {

using PlainEngineFactory = std::unique_ptr<Engine> (*)(const EngineModels& models,
                                                       const std::string& device, int threads);

/// Sets how plain engines are made (translate/network_engine.h). What links LibTorch calls it
/// before anything else; nmt, which does not, has no plain engine.
void set_plain_engine_factory(PlainEngineFactory factory);

/// Throws Error without a factory, or as the factory does.
std::unique_ptr<Engine> make_plain_engine(const EngineModels& models, const std::string& device,
                                          int threads);

}  // namespace nmt
