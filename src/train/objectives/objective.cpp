#include "train/objectives/objective.h"

#include <map>

namespace nmt {
namespace {

std::map<const ObjectiveKind*, ObjectiveMaker>& makers() {
#define NMT_MAKER(name) {&name##_objective(), make_##name##_objective},
  static std::map<const ObjectiveKind*, ObjectiveMaker> all = {NMT_OBJECTIVES(NMT_MAKER)};
#undef NMT_MAKER
  return all;
}

}  // namespace

std::unique_ptr<Objective> make_objective(const TrainConfig& config, const Tokenizers& tokenizers,
                                          const torch::Device& device) {
  return makers().at(config.objective)(config, tokenizers, device);
}

void register_objective_maker(const ObjectiveKind& kind, ObjectiveMaker make) {
  makers()[&kind] = make;
}

}  // namespace nmt
