#pragma once

#include <string>

#include "explain/explanation.h"
#include "explain/gradient.h"
#include "nn/seq2seq_options.h"

namespace nmt {

/// The small decoder forwards and backwards, with all numbers, and the check of each derivative.
Explanation explain_small_gradient(const SmallDecoder& decoder);

/// Loss, chain rule, gradient norms and checked derivatives of a model on a sentence pair.
Explanation explain_model_gradients(const std::string& sentence, const std::string& translation,
                                    const ModelGradients& gradients, const Seq2SeqOptions& options);

}  // namespace nmt
