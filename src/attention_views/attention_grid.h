#pragma once

#include <cstddef>
#include <string>

#include "translate/translator.h"

namespace nmt {

struct DrawingStyle {
  size_t columns = 80;
  bool colors = false;
};

/// The attention between words of a translation made with TranslationOptions::words, as a text
/// grid: a column for each source word, a row for each target word, weights in percent. A source
/// wider than the terminal is split over several grids.
std::string attention_grid(const Translation& translation, const DrawingStyle& style);

}  // namespace nmt
