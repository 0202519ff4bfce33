#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "decode/decoding_constraints.h"
#include "translate/engine.h"
#include "translate/translator.h"

namespace nmt {

/// For each of the `count` likeliest next tokens after the prefix of `begun`, constraints with that
/// token appended to the prefix. `source` must not be empty.
ConstraintList likeliest_beginnings(Engine& engine, const std::vector<int32_t>& source,
                                    const DecodingConstraints& begun, int64_t count);

/// The `count` likeliest different words at word index `place` of translations made with
/// TranslationOptions::words; best first.
std::vector<Alternative> different_words(const std::vector<Translation>& translations, size_t place,
                                         size_t count);

}  // namespace nmt
