#pragma once

#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

// What a terminal is told of a translation, in lines. Of translations found with
// TranslationOptions::words.

/// A line for each candidate: numbered where there are several, with its score where asked for; and
/// what is wrong with the best.
std::string candidates_text(const Translation& translation, bool scores);

/// The log-probability of the best candidate and what it cost.
std::string time_text(const Translation& translation, double seconds);

/// Each word of the best candidate and the source word that it looked at most.
std::string alignment_text(const Translation& translation);

/// Each word with its probability and what it leads to.
std::string alternatives_text(const std::vector<Alternative>& alternatives);

}  // namespace nmt
