#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

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
///   n-best     one for each candidate, as formats/n_best_list.h says; the feature nmt is its
///              log-probability
///   json       {"line": 1, "source": …, "translation": …, "candidates": […]}
std::string format_translation(int64_t number, const std::string& source,
                               const Translation& translation, const OutputFormat& format);

/// The JSON object of format_translation(), without its line number.
nlohmann::ordered_json translation_json(const std::string& source, const Translation& translation,
                                        const OutputFormat& format);

/// The best candidate's log-probability, a tab, and each word with its own log-probability, then
/// that of the end. The translation must have been made with words:
///
///   -1.234567<TAB>I|-0.0012 read|-1.2000 </s>|-0.0334
std::string format_word_scores(const Translation& translation);

/// Links as Pharaoh writes them, in their order: "0-0 2-1", source first, counted from 0.
std::string format_links(const std::vector<WordLink>& links);

/// The best candidate's alignment in the same format, on one line, ordered by target word.
std::string format_alignment(const Translation& translation);

}  // namespace nmt
