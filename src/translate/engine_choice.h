#pragma once

#include <string>

#include "nn/seq2seq_options.h"
#include "translate/translator.h"

namespace nmt {

/// Why the fused engine cannot compute what these options ask for; empty if it can. `first_model`:
/// the shape of their first model.
std::string fused_engine_unsupported_reason(const TranslatorOptions& options,
                                            const Seq2SeqOptions& first_model);

/// Whether the plain engine computes it.
bool uses_plain_engine(const TranslatorOptions& options, const Seq2SeqOptions& first_model);

}  // namespace nmt
