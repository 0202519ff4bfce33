#pragma once

#include <string>

#include "explain/explanation.h"
#include "nn/seq2seq_options.h"
#include "translate/translator.h"

namespace nmt {

/// The attention of a trained model on a sentence, as its translation tells it: what each word of
/// the translation found in the source. The translation has to have been asked for with
/// TranslationOptions::attention and words. Throws Error where it has no attention.
Explanation explain_translation(const std::string& sentence, const Translation& translation,
                                const Seq2SeqOptions& options);

/// Throws Error that names the model where there is nothing to explain.
void require_attention(const Seq2SeqOptions& options, const std::string& model);

}  // namespace nmt
