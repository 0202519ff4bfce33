#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace nmt {

/// Throws Error unless the file is executable.
void require_script(const std::string& script);

/// The texts that a script rates, which pair line by line.
struct RatedTexts {
  std::vector<std::string> translations;
  std::vector<std::string> references;
  std::vector<std::string> sources;
};

constexpr std::chrono::seconds kScriptLimit = std::chrono::minutes(30);

/// Runs `SCRIPT TRANSLATIONS REFERENCES SOURCES` on temporary files, without a shell, and returns
/// the number in the last line of its output. Throws Error if it fails, does not print a finite
/// number or exceeds the limit; Interrupted on a signal.
double rate_by_script(const std::string& script, const RatedTexts& texts,
                      std::chrono::milliseconds limit = kScriptLimit);

}  // namespace nmt
