#include "cli/needs_torch.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "translate/engine_choice.h"

namespace nmt {
namespace {

// The commands that add_all_commands() defines and add_light_commands() only lists.
constexpr std::array<std::string_view, 11> kTorchCommands = {
    "train",  "adapt",   "lm",        "export", "import", "pack",
    "unpack", "average", "calibrate", "states", "info"};

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
  const auto end = kTorchCommands.end();
  if (std::find(kTorchCommands.begin(), end, call.name) != end) return true;
  return std::any_of(call.translators.begin(), call.translators.end(),
                     [&](const auto& translator) { return needs_torch(translator, config_of); });
}

}  // namespace nmt
