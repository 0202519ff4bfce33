#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "decode/stepper.h"

namespace nmt {

/// A way to search one padded batch: greedy, beam or sampling, bound to its options.
using BatchSearch = std::function<std::vector<std::vector<Hypothesis>>(
    Stepper& stepper, const torch::Tensor& source, const torch::Tensor& lengths,
    const ConstraintList& constraint_list)>;

/// Sampling; or greedy search if beam_size is 1 and no constraint, coverage penalty or observer
/// needs a beam; or else beam search.
BatchSearch make_search(const SearchOptions& options);

/// Translates any number of token sequences, batch_size at a time, similar lengths together.
/// Results come in the order of the sources; an empty source has one empty hypothesis.
std::vector<std::vector<Hypothesis>> search_all(Stepper& stepper,
                                                const std::vector<std::vector<int32_t>>& sources,
                                                int64_t batch_size, const BatchSearch& search,
                                                const ConstraintList& constraint_list = {});

}  // namespace nmt
