#include "serve/translation_path.h"

#include <algorithm>

#include "unicode/code_points.h"

namespace nmt {
namespace {

/// -1 for other languages; otherwise higher for equal codes, above all the target's.
int likeness(const Direction& found, const Direction& wanted) {
  if (!same_language(found.source, wanted.source)) return -1;
  if (!same_language(found.target, wanted.target)) return -1;
  return (same_code(found.source, wanted.source) ? 1 : 0) +
         (same_code(found.target, wanted.target) ? 2 : 0);
}

/// In lower case, with Chinese scripts replaced by the region where they are usual.
std::string comparable(const std::string& code) {
  const auto lower = to_lower(code);
  if (lower == "zh-hans") return "zh-cn";
  return lower == "zh-hant" ? "zh-tw" : lower;
}

}  // namespace

bool same_code(const std::string& a, const std::string& b) {
  return comparable(a) == comparable(b);
}

TranslationPath find_path(const std::vector<Direction>& models, const std::string& source,
                          const std::string& target) {
  const Direction wanted = {source, target};
  TranslationPath best;
  int most = -1;
  const auto consider = [&](const TranslationPath& path) {
    const int found = likeness({models[path.front()].source, models[path.back()].target}, wanted);
    if (found <= most) return;
    most = found;
    best = path;
  };
  for (size_t model = 0; model < models.size(); ++model) consider({model});
  // Never goes through a third language and back.
  if (!best.empty() || same_language(source, target)) return best;
  for (size_t first = 0; first < models.size(); ++first) {
    if (!same_language(models[first].source, source)) continue;
    for (size_t second = 0; second < models.size(); ++second) {
      if (same_language(models[second].source, models[first].target)) consider({first, second});
    }
  }
  return best;
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
