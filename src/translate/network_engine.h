#pragma once

#include "translate/plain_engine.h"

namespace nmt {

/// The plain engine, by LibTorch: a PlainEngineFactory. Throws Error when the device is missing.
std::unique_ptr<Engine> make_network_engine(const EngineModels& models, const std::string& device,
                                            int threads);

}  // namespace nmt
