#pragma once

#include <string>
#include <utility>

#include "config/settings.h"
#include "errors/error.h"

namespace nmt {

/// An Error of one setting: "SECTION.KEY: PROBLEM".
class SettingError : public Error {
 public:
  SettingError(std::string setting, std::string what_is_wrong)
      : Error(setting + ": " + what_is_wrong),
        name(std::move(setting)),
        problem(std::move(what_is_wrong)) {}

  std::string name;
  std::string problem;
};

/// Whether source and target have one vocabulary: joint, or both sides name the same model file.
bool has_one_vocabulary(const VocabConfig& vocab);

/// Whether the model has attention with model.heads.
bool has_heads(const ModelConfig& model);

/// Throws SettingError "SECTION.KEY: VALUE is out of range …" for the first setting that cannot
/// work.
void validate(const Settings& settings);

/// Checks only what does not depend on settings still to be chosen.
void validate_given(const Settings& settings);

/// Throws SettingError for model settings that have no effect on the network. Only for new models:
/// existing ones may have such settings.
void require_effects(const ModelConfig& model);

/// Why the setting "section.key" has no effect in combination with the others; "" if it may have
/// one. Not an error by itself: settings files may complement each other.
std::string reason_without_effect(const Settings& settings, const std::string& name);

/// Checks only the settings that describe the network, which are all that a stored model needs.
void validate_model(const Settings& settings);

}  // namespace nmt
