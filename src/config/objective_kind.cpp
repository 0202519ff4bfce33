#include "config/objective_kind.h"

namespace nmt {
namespace {

std::vector<const ObjectiveKind*>& all_kinds() {
#define NMT_ADDRESS_OF_KIND(name) &name##_objective(),
  static std::vector<const ObjectiveKind*> all = {NMT_OBJECTIVES(NMT_ADDRESS_OF_KIND)};
#undef NMT_ADDRESS_OF_KIND
  return all;
}

}  // namespace

const std::vector<const ObjectiveKind*>& objective_kinds() { return all_kinds(); }

void register_objective(const ObjectiveKind& kind) { all_kinds().push_back(&kind); }

std::map<std::string, ObjectiveValue> initial_objective_values() {
  std::map<std::string, ObjectiveValue> values;
  for (const auto* kind : all_kinds()) {
    for (const auto& setting : kind->settings) values.emplace(setting.name, setting.initial);
  }
  return values;
}

}  // namespace nmt
