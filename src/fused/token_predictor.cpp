#include "fused/token_predictor.h"

#include "fused/ensemble_predictor.h"
#include "fused/model_predictor.h"

namespace nmt {

std::unique_ptr<TokenPredictor> make_token_predictor(const ModelEnsemble& models) {
  if (models.members.size() > 1 || models.language_model != nullptr) {
    return std::make_unique<EnsemblePredictor>(models);
  }
  return std::make_unique<ModelPredictor>(*models.members.front());
}

}  // namespace nmt
