#pragma once

#include "markup/document.h"
#include "translate/translator.h"

namespace nmt {

/// Into sentences as the model knows them or, with other values of TranslationOptions::split,
/// lines.
Splitter make_splitter(const Translator& translator, const TranslationOptions& options);

}  // namespace nmt
