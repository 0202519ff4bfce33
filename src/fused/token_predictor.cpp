#include "fused/token_predictor.h"

#include <algorithm>

#include "fused/ensemble_predictor.h"
#include "fused/model_predictor.h"
#include "text/special_tokens.h"

namespace nmt {

void TokenPredictor::exclude(const std::vector<int64_t>& tokens) {
  excluded_ = tokens;
  excluded_.push_back(kEosId);
}

void TokenPredictor::step_greedy(const std::vector<DecoderRow>& rows) {
  step(rows, 1 + static_cast<int64_t>(excluded_.size()));
}

TokenPredictor::Likeliest TokenPredictor::likeliest(int64_t row) const {
  const auto& best = top(row).best;
  const auto found = std::find_if(best.begin(), best.end(), [&](const TokenLogit& candidate) {
    return std::find(excluded_.begin(), excluded_.end(), candidate.token) == excluded_.end();
  });
  return {found == best.end() ? TokenLogit{kEosId, kMinusInfinity} : *found, logit(row, kEosId)};
}

std::unique_ptr<TokenPredictor> make_token_predictor(const ModelEnsemble& models) {
  if (models.members.size() > 1 || models.language_model != nullptr) {
    return std::make_unique<EnsemblePredictor>(models);
  }
  return std::make_unique<ModelPredictor>(*models.members.front());
}

}  // namespace nmt
