#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "decode/decoding_constraints.h"
#include "translate/engine.h"
#include "translate/translator.h"

namespace nmt {

/// For each of the `count` likeliest tokens behind what `begun` asks for, constraints whose prefix
/// ends with it. The source must not be empty.
ConstraintList likeliest_beginnings(Engine& engine, const std::vector<int32_t>& source,
                                    const DecodingConstraints& begun, int64_t count);

/// What the translations, found with TranslationOptions::words, have as word `place`, counted from
/// 0: the `count` likeliest different ones, best first.
std::vector<Alternative> different_words(const std::vector<Translation>& translations, size_t place,
                                         size_t count);

}  // namespace nmt
