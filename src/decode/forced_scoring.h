#pragma once

#include <vector>

#include "data/batch.h"
#include "nn/seq2seq.h"

namespace nmt {

/// Natural-log probability of each given target, its EOS included: Σ_t log p(y_t | y_<t, x), in
/// the order of the batch's rows. The model must be in evaluation mode.
std::vector<double> score_batch(Seq2Seq& model, const Batch& batch);

/// As score_batch, for an ensemble: p = Σ_m w_m p_m for each token; the weights w_m sum to 1.
std::vector<double> score_batch(std::vector<Seq2Seq>& ensemble, const std::vector<double>& weights,
                                const Batch& batch);

}  // namespace nmt
