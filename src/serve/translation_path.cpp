#include "serve/translation_path.h"

#include <algorithm>

namespace nmt {
namespace {

bool same_direction(const Direction& model, const Direction& wanted) {
  return same_language(model.source, wanted.source) && same_language(model.target, wanted.target);
}

TranslationPath find_pivot_path(const std::vector<Direction>& models, const Direction& wanted) {
  for (size_t first = 0; first < models.size(); ++first) {
    if (!same_language(models[first].source, wanted.source)) continue;
    for (size_t second = 0; second < models.size(); ++second) {
      if (same_direction(models[second], {models[first].target, wanted.target})) {
        return {first, second};
      }
    }
  }
  return {};
}

}  // namespace

TranslationPath find_path(const std::vector<Direction>& models, const std::string& source,
                          const std::string& target) {
  const Direction wanted = {source, target};
  auto found = std::find(models.begin(), models.end(), wanted);
  if (found == models.end()) {
    found = std::find_if(models.begin(), models.end(),
                         [&](const Direction& model) { return same_direction(model, wanted); });
  }
  if (found != models.end()) return {static_cast<size_t>(found - models.begin())};
  // Nobody wants a text back in its own language.
  return same_language(source, target) ? TranslationPath() : find_pivot_path(models, wanted);
}

std::vector<std::string> languages_of(const std::vector<Direction>& models) {
  std::vector<std::string> languages;
  const auto add = [&](const std::string& code) {
    if (std::find(languages.begin(), languages.end(), code) == languages.end()) {
      languages.push_back(code);
    }
  };
  for (const auto& model : models) add(model.source);
  for (const auto& model : models) add(model.target);
  return languages;
}

std::vector<std::string> targets_of(const std::vector<Direction>& models,
                                    const std::string& source) {
  std::vector<std::string> targets;
  for (const auto& code : languages_of(models)) {
    const auto path = find_path(models, source, code);
    if (!path.empty()) targets.push_back(code);
  }
  return targets;
}

}  // namespace nmt
