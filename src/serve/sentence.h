#pragma once

#include <string>

#include "translate/translator.h"

namespace nmt {

/// A sentence to translate, and what its translation must contain.
struct Sentence {
  std::string text;
  TranslationConstraints guide = {};
};

}  // namespace nmt
