#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "translate/translator.h"

namespace nmt {

struct DrawingStyle {
  size_t columns = 80;
  bool colours = false;
};

/// The attention between words, for a translation found with TranslationOptions::words: a column
/// for each source word, a row for each of the translation, weights in per cent. Where the source
/// does not fit into the width, one such matrix below the other.
std::string attention_matrix(const Translation& translation, const DrawingStyle& style);

}  // namespace nmt
