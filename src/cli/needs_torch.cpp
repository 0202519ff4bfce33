#include "cli/needs_torch.h"

#include <algorithm>
#include <vector>

#include "translate/engine_choice.h"

namespace nmt {
namespace {

bool needs_torch(const TranslatorOptions& translator, const ModelConfigReader& config_of) {
  if (translator.model_dirs.empty()) return false;
  std::vector<Seq2SeqOptions> models;
  for (const auto& model : translator.model_dirs) {
    const auto config = config_of(model);
    if (!config) return false;
    models.push_back({*config, 0, 0});  // vocabularies decide nothing here
  }
  return uses_plain_engine(translator, models);
}

}  // namespace

bool needs_torch(const CommandCall& call, const ModelConfigReader& config_of) {
  return always_needs_torch(call.name) ||
         std::any_of(call.translators.begin(), call.translators.end(),
                     [&](const auto& translator) { return needs_torch(translator, config_of); });
}

}  // namespace nmt
