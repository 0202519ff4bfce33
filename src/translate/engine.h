#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/stored_model.h"
#include "decode/decoding_constraints.h"
#include "decode/hypothesis.h"
#include "decode/search_options.h"

namespace nmt {

/// The models of an engine.
struct EngineModels {
  std::vector<StoredModel> translators;  // an ensemble, with the same vocabularies
  std::vector<double> weights = {1.0};   // ensemble weights of the probabilities; sum to 1

  /// For shallow fusion in search and sampling; score() does not use it.
  std::optional<StoredModel> language_model = {};
  double language_model_weight = 0.0;

  bool bfloat16 = false;  // the plain engine computes in bfloat16, not float32
};

/// A backend that computes translations: token ids in, token ids out.
class Engine {
 public:
  virtual ~Engine() = default;

  /// The n-best list, or samples, of each source. An empty source gets one empty hypothesis.
  /// Thread-safe.
  virtual HypothesisLists search(const TokenLists& sources, int64_t batch_size,
                                 const SearchOptions& options,
                                 const ConstraintList& constraint_list) = 0;

  /// The natural-log probability of each target, EOS included, given its source. Sources must not
  /// be empty. Thread-safe.
  virtual std::vector<double> score(const TokenLists& sources, const TokenLists& targets,
                                    int64_t batch_size) = 0;
};

using PlainEngineFactory = std::unique_ptr<Engine> (*)(const EngineModels& models,
                                                       const std::string& device, int threads);

/// Sets the factory of plain engines. Call it first. Programs that link LibTorch set
/// make_linked_plain_engine; libnmt.so sets a factory that loads libnmt_plain_engine.so on first
/// use; nmt sets none and so has no plain engine.
void set_plain_engine_factory(PlainEngineFactory factory);

/// Calls the factory. Throws Error if there is none, or as the factory does.
std::unique_ptr<Engine> make_plain_engine(const EngineModels& models, const std::string& device,
                                          int threads);

/// Makes a LibTorch engine; a PlainEngineFactory. Throws Error if the device is not available.
std::unique_ptr<Engine> make_linked_plain_engine(const EngineModels& models,
                                                 const std::string& device, int threads);

}  // namespace nmt
