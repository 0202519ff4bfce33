#pragma once

#include "config/choice.h"
#include "translate/translator.h"

namespace nmt {

// The names of the public choices, for command lines and messages.

template <>
struct ChoiceNames<TranslationEngine> {
  static constexpr const char* kNames[] = {"auto", "plain", "fused"};
};

template <>
struct ChoiceNames<TranslationPrecision> {
  static constexpr const char* kNames[] = {"float32", "int8", "bfloat16"};
};

template <>
struct ChoiceNames<LineSplit> {
  static constexpr const char* kNames[] = {"model", "none", "sentences"};
};

template <>
struct ChoiceNames<ScoreNormalization> {
  static constexpr const char* kNames[] = {"wu", "mean"};
};

}  // namespace nmt
