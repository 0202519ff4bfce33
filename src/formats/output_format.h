#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "translate/translator.h"

namespace nmt {

struct OutputFormat {
  bool json = false;
  bool scores = false;
  bool n_best = false;     // every candidate, as Moses writes them
  bool words = false;      // JSON: with words, their scores and alignment, and warnings
  bool attention = false;  // JSON: with the weights of tokens and, with `words`, of words
};

/// What `nmt translate` prints for one line of input, line end included:
///
///   plain      TRANSLATION
///   scores     SCORE<TAB>TRANSLATION
///   n-best     LINE ||| TRANSLATION ||| SCORE     one for each candidate; LINE counts from 0
///   json       {"line": 1, "source": …, "translation": …, "candidates": […]}
std::string format_translation(int64_t number, const std::string& source,
                               const Translation& translation, const OutputFormat& format);

/// The object of the last, without its line number.
nlohmann::ordered_json translation_json(const std::string& source, const Translation& translation,
                                        const OutputFormat& format);

/// The best candidate's alignment in one line, as Pharaoh writes it: SOURCE-TARGET pairs of words,
/// counted from 0, by rising target word.
std::string format_alignment(const Translation& translation);

}  // namespace nmt
