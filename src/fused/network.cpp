#include "fused/network.h"

#include "fused/recurrent_network.h"

namespace nmt {

std::unique_ptr<FusedNetwork> make_fused_network(const FusedOptions& options,
                                                 const ParameterTable& parameters) {
  return std::make_unique<RecurrentNetwork>(options.model, parameters);
}

}  // namespace nmt
