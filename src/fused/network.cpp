#include "fused/network.h"

#include "fused/language_network.h"
#include "fused/recurrent_network.h"
#include "fused/transformer_network.h"

namespace nmt {

std::unique_ptr<FusedNetwork> make_fused_network(const FusedOptions& options,
                                                 const ParameterTable& parameters) {
  if (options.model.architecture == Architecture::kLanguageModel) {
    return std::make_unique<LanguageNetwork>(options.model, parameters);
  }
  if (options.model.architecture == Architecture::kTransformer) {
    return std::make_unique<TransformerNetwork>(options.model, parameters);
  }
  return std::make_unique<RecurrentNetwork>(options.model, parameters);
}

}  // namespace nmt
