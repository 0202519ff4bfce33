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

using TokenLists = std::vector<std::vector<int32_t>>;

/// What an engine computes with.
struct EngineModels {
  std::vector<StoredModel> translators;  // an ensemble, with the same vocabularies
  std::vector<double> weights = {1.0};   // of their probabilities; they sum to 1

  /// For shallow fusion with this weight in search and sampling, not in the scores of given
  /// translations.
  std::optional<StoredModel> language_model = {};
  double language_model_weight = 0.0;
};

/// One way to compute translations: token ids in, token ids out.
class Engine {
 public:
  virtual ~Engine() = default;

  /// The n-best list, or samples, of each source; an empty one has one empty hypothesis. Safe to
  /// call from several threads.
  virtual std::vector<std::vector<Hypothesis>> search(const TokenLists& sources, int64_t batch_size,
                                                      const SearchOptions& options,
                                                      const ConstraintList& constraint_list) = 0;

  /// The natural-log probability of each target, EOS included, given its source, which must not be
  /// empty. Safe to call from several threads.
  virtual std::vector<double> score(const TokenLists& sources, const TokenLists& targets,
                                    int64_t batch_size) = 0;
};

using PlainEngineFactory = std::unique_ptr<Engine> (*)(const EngineModels& models,
                                                       const std::string& device, int threads);

/// Sets how plain engines are made, before anything else. Programs that link LibTorch give
/// make_linked_plain_engine. libnmt.so gives a factory that loads libnmt_plain_engine.so at the
/// first use. nmt gives none, and so has no plain engine.
void set_plain_engine_factory(PlainEngineFactory factory);

/// Throws Error without a factory, or as the factory does.
std::unique_ptr<Engine> make_plain_engine(const EngineModels& models, const std::string& device,
                                          int threads);

/// The plain engine, by LibTorch: a PlainEngineFactory. Throws Error when the device is missing.
std::unique_ptr<Engine> make_linked_plain_engine(const EngineModels& models,
                                                 const std::string& device, int threads);

}  // namespace nmt
