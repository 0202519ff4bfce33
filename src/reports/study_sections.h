#pragma once

#include <string>

#include "reports/validation_study.h"

namespace nmt {

/// What a study found, as sections of HTML: scores, attention, worst and best sentences, lengths
/// and rare words.
std::string study_sections(const ValidationStudy& study);

/// A number with so many digits behind the point; a dash where it is not one.
std::string number_text(double value, int digits);

}  // namespace nmt
