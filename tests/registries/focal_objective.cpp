#include "registries/focal_objective.h"

#include <ATen/ATen.h>

#include "train/objectives/objective.h"

namespace nmt {
namespace {

/// Σ_t −(1 − p(y_t))^γ log p(y_t) (Lin et al. 2017, section 3.2)
class Focal : public Objective {
 public:
  explicit Focal(double gamma) : gamma_(gamma) {}

  TokenLoss loss(Seq2Seq& model, const Batch& batch) override {
    const auto log_p = predict_tokens(model, batch).of_targets();  // [M]
    if (++focal_calls().made == focal_calls().fails_at) {
      TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate 2.00 GiB");
    }
    return {-((1 - log_p.exp()).pow(gamma_) * log_p).sum(), -log_p.sum().detach()};
  }

 private:
  double gamma_;
};

std::unique_ptr<Objective> make(const TrainConfig& config, const Tokenizers&,
                                const torch::Device&) {
  return std::make_unique<Focal>(config.objective_value<double>("focal_gamma"));
}

}  // namespace

FocalCalls& focal_calls() {
  static FocalCalls calls;
  return calls;
}

const ObjectiveKind& focal_objective() {
  static const ObjectiveKind kind = {
      "focal",
      "cross-entropy, less of it for likely tokens (Lin et al. 2017)",
      {{"focal_gamma", 2.0, "focal: exponent of the weight of a token", {0, 10}}}};
  static const bool registered = [] {
    register_objective(kind);
    register_objective_maker(kind, make);
    return true;
  }();
  (void)registered;
  return kind;
}

}  // namespace nmt
