#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// Sequence-level interpolation (Kim and Rush 2016, section 3.3): sorts the candidates by sentence
/// BLEU with the reference, from 0 to 100, which becomes their score: by characters where it is
/// written without spaces. Of equal ones the likelier comes first. Keeps `num_kept` of them.
void prefer_nearest(Translation& translation, const std::string& reference, size_t num_kept);

/// As Translator::translate with a beam, but chooses options.n_best of it by prefer_nearest, with a
/// reference for each line.
std::vector<Translation> translate_nearest(
    const Translator& translator, const std::vector<std::string>& lines, TranslationOptions options,
    const std::vector<std::string>& references,
    const std::vector<TranslationConstraints>& constraint_list = {});

}  // namespace nmt
