#pragma once

#include <string>
#include <vector>

#include "nn/seq2seq_options.h"
#include "translate/translator.h"

namespace nmt {

/// Why the fused engine does not support these options; empty if it does. `models`: the networks of
/// the options' models.
std::string fused_engine_unsupported_reason(const TranslatorOptions& options,
                                            const std::vector<Seq2SeqOptions>& models);

/// Whether the plain engine is used.
bool uses_plain_engine(const TranslatorOptions& options, const std::vector<Seq2SeqOptions>& models);

/// Throws UsageError for options that do not combine with each other or with the models.
void require_possible(const TranslatorOptions& options, const std::vector<Seq2SeqOptions>& models);

}  // namespace nmt
