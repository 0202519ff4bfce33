#pragma once

#include <string>

namespace nmt {

/// GLEU of one sentence (Wu et al. 2016, section 4.3), from 0 to 1: of all n-grams of 1 to 4 words,
/// how many both sides share, of the side that has more. Unlike BLEU it is made for single
/// sentences, and one word that is right counts.
double sentence_gleu(const std::string& hypothesis, const std::string& reference);

}  // namespace nmt
