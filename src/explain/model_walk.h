#pragma once

#include <string>

#include "checkpoint/stored_model.h"
#include "explain/explanation.h"
#include "nn/seq2seq_options.h"
#include "translate/translator.h"

namespace nmt {

/// Explains the attention of a trained model from the translation of a sentence. The translation
/// must include attention and words (TranslationOptions). With `has_languages`, the attention omits
/// the token of the target language. Throws Error if the translation has no attention.
Explanation explain_translation(const std::string& sentence, const Translation& translation,
                                const Seq2SeqOptions& options, bool has_languages = false);

}  // namespace nmt
