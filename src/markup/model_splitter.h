#pragma once

#include "markup/document.h"
#include "translate/translator.h"

namespace nmt {

/// Splits text as the translator does: into sentences or, with other values of
/// TranslationOptions::split, lines.
Splitter make_splitter(const Translator& translator, const TranslationOptions& options);

}  // namespace nmt
