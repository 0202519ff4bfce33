#pragma once

#include <cstdint>
#include <string>

namespace nmt {

/// Counts the texts for which the model found no words.
class UntranslatedTexts {
 public:
  /// `text`: what was to be translated.
  void add(const std::string& text) {
    if (++count_ == 1) first_ = text;
  }

  /// Logs how many there were, and the first. `what`: how the message calls one. `prefix`: begins
  /// it.
  void warn(const char* what, const std::string& prefix = "") const;

 private:
  int64_t count_ = 0;
  std::string first_;
};

}  // namespace nmt
