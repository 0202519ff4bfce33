#include "fused/token_predictor.h"

#include <algorithm>
#include <limits>

#include "fused/ensemble_predictor.h"
#include "fused/model_predictor.h"
#include "text/special_tokens.h"

namespace nmt {

TokenLogit best_except(const std::vector<int64_t>& excluded, const TopTokens& top) {
  for (const auto& candidate : top.best) {
    if (std::find(excluded.begin(), excluded.end(), candidate.token) == excluded.end()) {
      return candidate;
    }
  }
  return {kEosId, -std::numeric_limits<float>::infinity()};
}

std::unique_ptr<TokenPredictor> make_token_predictor(const ModelEnsemble& models) {
  if (models.members.size() > 1 || models.language_model != nullptr) {
    return std::make_unique<EnsemblePredictor>(models);
  }
  return std::make_unique<ModelPredictor>(*models.members.front());
}

}  // namespace nmt
