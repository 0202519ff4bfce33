#pragma once

#include <string>

#include "reports/validation_study.h"

namespace nmt {

/// A study as HTML sections: scores, attention, worst and best sentences, source lengths, word
/// frequencies. `heading` is HTML to put above the scores, `note` below.
std::string study_sections(const ValidationStudy& study, const std::string& heading,
                           const std::string& note);

/// A number with `digits` decimals; a dash if it is not finite.
std::string number_text(double value, int digits);

}  // namespace nmt
