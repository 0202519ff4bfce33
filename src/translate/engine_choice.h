#pragma once

#include <vector>

#include "nn/seq2seq_options.h"
#include "translate/translator.h"

namespace nmt {

/// Whether the plain engine is used. `models`: the networks of the options' models.
bool uses_plain_engine(const TranslatorOptions& options, const std::vector<Seq2SeqOptions>& models);

/// Throws UsageError for options that do not combine with each other or with the models.
void require_possible(const TranslatorOptions& options, const std::vector<Seq2SeqOptions>& models);

}  // namespace nmt
