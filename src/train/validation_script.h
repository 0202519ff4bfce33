#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace nmt {

/// Throws Error unless the file can be run.
void require_script(const std::string& script);

/// What a script rates, line by line.
struct RatedTexts {
  std::vector<std::string> translations;
  std::vector<std::string> references;
  std::vector<std::string> sources;
};

constexpr std::chrono::seconds kScriptLimit = std::chrono::minutes(30);

/// Runs `SCRIPT TRANSLATIONS REFERENCES SOURCES`, without a shell, on temporary files, and returns
/// the number that is the last line of its output. Throws Error when it fails, prints no finite
/// number or takes longer than the limit; Interrupted on a signal.
double rate_by_script(const std::string& script, const RatedTexts& texts,
                      std::chrono::milliseconds limit = kScriptLimit);

}  // namespace nmt
