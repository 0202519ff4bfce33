#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// Sequence-level interpolation (Kim and Rush 2016, section 3.3): sorts the candidates by sentence
/// BLEU against the reference, from 0 to 100, which becomes their score; in characters if the
/// reference is written without spaces. Ties are broken by likelihood. Keeps `num_kept`.
void prefer_nearest(Translation& translation, const std::string& reference, size_t num_kept);

/// As Translator::translate with a beam, but selects options.n_best of the beam by
/// prefer_nearest(). `references`: one per line.
std::vector<Translation> translate_nearest(
    const Translator& translator, const std::vector<std::string>& lines, TranslationOptions options,
    const std::vector<std::string>& references,
    const std::vector<TranslationConstraints>& constraint_list = {});

}  // namespace nmt
