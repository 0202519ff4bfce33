#pragma once

#include <string>

namespace nmt {

/// GLEU of one sentence (Wu et al. 2016, section 4.3), from 0 to 1: the shared n-grams of 1 to 4
/// words, divided by the larger number of n-grams of the two sides. Unlike BLEU it is designed for
/// single sentences: one correct word already scores.
double sentence_gleu(const std::string& hypothesis, const std::string& reference);

}  // namespace nmt
