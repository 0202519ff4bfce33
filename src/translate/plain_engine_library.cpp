#include "config/settings_io.h"
#include "translate/engine.h"

namespace nmt {
namespace {

/// Settings refer to kinds (AttentionKind, ObjectiveKind) by address, and this library has its own
/// copies besides those of libnmt.so. Replaces them by name.
void use_own_kinds(StoredModel& model) {
  Settings settings;
  apply_yaml(settings, to_yaml(model.settings, /*with_comments=*/false), "settings");
  model.settings = settings;
  model.options = {settings.model, model.source.vocabulary_size(), model.target.vocabulary_size()};
}

std::unique_ptr<Engine> make_own_engine(const EngineModels& models, const std::string& device,
                                        int threads) {
  auto own = models;
  for (auto& model : own.translators) use_own_kinds(model);
  if (own.language_model) use_own_kinds(*own.language_model);
  return make_linked_plain_engine(own, device, threads);
}

}  // namespace
}  // namespace nmt

// The symbol that plain_engine_on_demand.cpp loads.
extern "C" __attribute__((visibility("default"))) nmt::PlainEngineFactory
NMT_PLAIN_ENGINE_FACTORY() {
  return nmt::make_own_engine;
}
