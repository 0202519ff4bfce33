#include "explain/explanation.h"

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

}  // namespace nmt
