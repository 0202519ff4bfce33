#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// Minimum Bayes risk decoding (Kumar and Byrne 2004) with chrF2 as utility: sorts the candidates
/// by Σ_r p(r) chrF2(candidate, r), from 0 to 100, which becomes their score. r: the candidates, of
/// samples with equal p (Eikema and Aziz 2020), of an n-best list with those of the model, made to
/// sum to 1. Of candidates with one text, the first stays. Keeps `num_kept` of them.
void minimize_risk(Translation& translation, bool sampled, size_t num_kept);

/// As Translator::translate, but chooses options.n_best of `num_candidates` by minimize_risk; 0: no
/// more than that function does. Throws UsageError for fewer candidates than n_best, and for more
/// than the beam has.
std::vector<Translation> translate_with_least_risk(
    const Translator& translator, const std::vector<std::string>& lines, TranslationOptions options,
    int64_t num_candidates, const std::vector<TranslationConstraints>& constraint_list = {});

}  // namespace nmt
