#pragma once

#include <torch/types.h>

#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "decode/stepper.h"

namespace nmt {

/// Batched beam search. source [B, S], lengths [B] as Stepper::start takes them.
///
/// Returns for each sentence its best hypotheses, best first: n_best of them unless fewer exist.
/// A hypothesis that has ended is set aside and never displaced by an open one. A sentence leaves
/// the batch once SentenceBeam::done().
std::vector<std::vector<Hypothesis>> beam_search(Stepper& stepper, const torch::Tensor& source,
                                                 const torch::Tensor& lengths,
                                                 const SearchOptions& options,
                                                 const ConstraintList& constraint_list = {});

}  // namespace nmt
