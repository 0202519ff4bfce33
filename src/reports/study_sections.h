#pragma once

#include <string>

#include "reports/validation_study.h"

namespace nmt {

/// A study as HTML sections: scores, attention, worst and best sentences, source lengths, word
/// frequencies.
std::string study_sections(const ValidationStudy& study);

/// A number with `digits` decimals; a dash if it is not finite.
std::string number_text(double value, int digits);

}  // namespace nmt
