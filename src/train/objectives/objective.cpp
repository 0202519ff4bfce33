#include "train/objectives/objective.h"

#include "errors/error.h"

namespace nmt {

std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizers& tokenizers,
                                          const torch::Device& device) {
  const auto& name = config.objective;
  if (name == "likelihood") return make_likelihood(config);
  if (name == "scheduled_sampling") return make_scheduled_sampling(config);
  if (name == "r_drop") return make_r_drop(config);
  if (name == "minimum_risk") return make_minimum_risk(config, tokenizers.target);
  if (name == "dual") return make_dual(config, tokenizers, device);
  throw Error("train.objective: there is no '" + name + "'");
}

}  // namespace nmt
