#pragma once

#include "config/choice.h"
#include "translate/translator.h"

namespace nmt {

// The names of the public choices, for command lines and messages.

template <>
inline constexpr const char* kChoiceNames<TranslationEngine>[] = {"auto", "plain", "fused"};

template <>
inline constexpr const char* kChoiceNames<TranslationPrecision>[] = {"float32", "int8", "bfloat16"};

template <>
inline constexpr const char* kChoiceNames<LineSplit>[] = {"model", "none", "sentences"};

template <>
inline constexpr const char* kChoiceNames<ScoreNormalization>[] = {"wu", "mean"};

}  // namespace nmt
