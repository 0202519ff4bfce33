#include "train/run_choices.h"

#include <set>
#include <string>

#include "config/settings_io.h"
#include "config/validate.h"
#include "train/fit_memory.h"
#include "train/inputs/input_checks.h"
#include "train/validation_script.h"

namespace nmt {
namespace {

/// train.initial_model brings its vocabularies: their settings that were not given are taken from
/// it.
void leave_vocabularies_open(Settings& settings) {
  const auto& vocab = settings.vocab;
  if (settings.train.initial_model.empty() || !vocab.source_model.empty() ||
      !vocab.target_model.empty()) {
    return;
  }
  auto defaults = settings;
  defaults.vocab = {};
  std::set<std::string> given = {"vocab.source_model", "vocab.target_model"};
  for (const auto& change : changed_settings(defaults, settings)) given.insert(change.name);
  for (const auto& setting : describe_settings()) {
    const auto name = setting.section + "." + setting.key;
    if (setting.section == "vocab" && given.count(name) == 0) settings.automatic.insert(name);
  }
}

/// Before vocabularies are trained; the sizes of given ones are not known yet.
void require_memory_early(const Settings& settings) {
  const auto& vocab = settings.vocab;
  if (!vocab.source_model.empty() || !vocab.target_model.empty()) return;
  require_memory_for(
      {settings.model, vocab.source_size, vocab.joint ? vocab.source_size : vocab.target_size},
      settings.train);
}

}  // namespace

SettingsChoice make_choices(Settings settings, const ModelDirectory& directory,
                            const std::optional<RunState>& state, ProcessGroup& group) {
  const auto& script = settings.validation.script;
  if (group.is_rank_zero() && !script.empty()) require_script(script);
  leave_vocabularies_open(settings);
  SettingsChoice choice{settings, {}};
  if (state) {
    adopt_automatic(choice.settings, state->fingerprint.settings);
    require_same_network(directory.root, state->fingerprint, choice.settings);
  } else if (group.is_rank_zero()) {
    choice = choose_settings(settings, group.size());
  }
  if (group.size() > 1 || !settings.automatic.empty()) {  // of another process, too
    Settings chosen;
    apply_yaml(chosen, group.broadcast(to_yaml(choice.settings, /*with_comments=*/false)),
               "choices");
    choice.settings = settings;
    adopt_automatic(choice.settings, chosen);
  }
  validate(choice.settings);
  return choice;
}

void check_choices(const Settings& settings) {
  require_memory_early(settings);
  check_new_run(settings);
}

}  // namespace nmt
