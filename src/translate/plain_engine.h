#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/stored_model.h"
#include "translate/engine.h"

namespace nmt {

/// What LibTorch computes: any device, ensembles, sampling, scores of given translations.
class PlainEngine : public Engine {
 public:
  /// n_best samples of each source.
  virtual std::vector<std::vector<Hypothesis>> sample(const TokenLists& sources, int64_t batch_size,
                                                      const SearchOptions& options,
                                                      const SamplingOptions& sampling) = 0;
};

/// A language model with a weight in search and sampling (decode/model_stepper.h), not in the
/// scores of given translations.
struct ShallowFusion {
  StoredModel language_model;
  double weight = 0.0;
};

using PlainEngineFactory = std::unique_ptr<PlainEngine> (*)(
    const std::vector<StoredModel>& models, const std::optional<ShallowFusion>& fusion,
    const std::string& device, int threads);

/// Sets how plain engines are made (translate/network_engine.h). What links LibTorch calls it
/// before anything else; nmt, which does not, has no plain engine.
void set_plain_engine_factory(PlainEngineFactory factory);

/// Throws Error without a factory, or as the factory does.
std::unique_ptr<PlainEngine> make_plain_engine(const std::vector<StoredModel>& models,
                                               const std::optional<ShallowFusion>& fusion,
                                               const std::string& device, int threads);

}  // namespace nmt
