#include "explain/explanation.h"

#include <algorithm>
#include <cstdlib>

#include "errors/error.h"

namespace nmt {
namespace {

/// POSIX precedence; the first variable that is set applies.
std::string language_of_environment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace

Language parse_language(const std::string& name) {
  const bool chosen = !name.empty();
  if (chosen && name != "en" && name != "ko") {
    throw UsageError("--language " + name + ": unknown; use en or ko");
  }
  const auto language = chosen ? name : language_of_environment();
  return language.rfind("ko", 0) == 0 ? Language::kKorean : Language::kEnglish;
}

double darkest_weight(const WorkedMatrix& weights) {
  double darkest = 1.0;
  for (const auto& row : weights) {
    for (const double weight : row) darkest = std::max(darkest, weight);
  }
  return darkest;
}

double shade_of(double weight, double darkest) { return std::clamp(weight / darkest, 0.0, 1.0); }

}  // namespace nmt
