#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/calibration.h"
#include "translate/source_measures.h"

namespace nmt {

/// "repetition: …" if the translation repeats one word four times in a row, or a longer n-gram
/// three times, and the source does not; otherwise empty.
std::string repetition_warning(const std::vector<std::string>& source_words,
                               const std::vector<std::string>& words);

/// "coverage: …" with the longest run of two or more source words whose total attention over all
/// steps is below 0.05; otherwise empty. Single words are no evidence: their meaning may be in
/// their neighbors' states.
std::string coverage_warning(const std::vector<std::string>& source_words,
                             const std::vector<double>& attention_sums);

/// "length: …" if the translation has the maximum number of tokens; otherwise empty.
std::string length_warning(int64_t num_tokens, int64_t limit);

/// "ratio: …" if the length ratio of a sentence and its translation is four or more standard
/// deviations from the validation set's mean; otherwise empty. `log_ratio`: log_character_ratio()
/// (decode/confidence.h).
std::string ratio_warning(double log_ratio, const Calibration::LengthRatio& usual);

/// "number: …" if the numbers contradict each other (text/contradicting_numbers.h), or a number of
/// three digits or more is on one side only; otherwise empty.
std::string number_warning(std::string_view source, std::string_view translation);

/// "unknown: …" with the words that have unknown characters; otherwise empty.
std::string unknown_warning(const SourceMeasures& measures);

/// "script: …" if at least half of the letters are in scripts unknown to the model; otherwise
/// empty.
std::string script_warning(const SourceMeasures& measures);

}  // namespace nmt
