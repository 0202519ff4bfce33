#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

/// Minimum Bayes risk decoding (Kumar and Byrne 2004) with chrF2 as utility: sorts the candidates
/// by Σ_r p(r) chrF2(candidate, r), from 0 to 100, which becomes their score. r ranges over the
/// candidates; p is uniform for samples (Eikema and Aziz 2020), otherwise the model's, normalized.
/// Candidates with equal text are merged into the first. Keeps `num_kept`.
void minimize_risk(Translation& translation, bool sampled, size_t num_kept);

/// As Translator::translate, but selects options.n_best of `num_candidates` by minimize_risk(); 0
/// disables this. Throws UsageError for fewer candidates than n_best, or without sampling more than
/// the beam size.
std::vector<Translation> translate_with_least_risk(
    const Translator& translator, const std::vector<std::string>& lines, TranslationOptions options,
    int64_t num_candidates, const std::vector<TranslationConstraints>& constraint_list = {});

}  // namespace nmt
