#pragma once

#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

// Descriptions of translations made with TranslationOptions::words, in lines of text.

/// A line for each candidate, numbered if there are several, with its score if `scores`; then the
/// best candidate's confidence, if below 0.4, and the warnings.
std::string candidates_text(const Translation& translation, bool scores);

/// The confidence and log-probability of the best candidate, its tokens and the time.
std::string time_text(const Translation& translation, double seconds);

/// Each word of the best candidate with the source word of highest attention.
std::string alignment_text(const Translation& translation);

/// Each word with its probability and the translation that it leads to.
std::string alternatives_text(const std::vector<Alternative>& alternatives);

}  // namespace nmt
