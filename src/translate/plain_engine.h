#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/stored_model.h"
#include "translate/engine.h"

namespace nmt {

/// A language model with a weight in search and sampling (decode/model_stepper.h), not in the
/// scores of given translations.
struct ShallowFusion {
  StoredModel language_model;
  double weight = 0.0;
};

using PlainEngineFactory = std::unique_ptr<Engine> (*)(const std::vector<StoredModel>& models,
                                                       const std::optional<ShallowFusion>& fusion,
                                                       const std::string& device, int threads);

/// Sets how plain engines are made (translate/network_engine.h). What links LibTorch calls it
/// before anything else; nmt, which does not, has no plain engine.
void set_plain_engine_factory(PlainEngineFactory factory);

/// Throws Error without a factory, or as the factory does.
std::unique_ptr<Engine> make_plain_engine(const std::vector<StoredModel>& models,
                                          const std::optional<ShallowFusion>& fusion,
                                          const std::string& device, int threads);

}  // namespace nmt
