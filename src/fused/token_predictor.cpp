#include "fused/token_predictor.h"

#include "fused/model_predictor.h"

namespace nmt {

std::unique_ptr<TokenPredictor> make_token_predictor(const ModelEnsemble& models) {
  return std::make_unique<ModelPredictor>(*models.members.front());
}

}  // namespace nmt
