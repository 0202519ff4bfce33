#pragma once

#include <cstdint>
#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "fused/inference_model.h"
#include "threads/thread_team.h"

namespace nmt {

/// Greedy and beam search on the fast path: what search_all (decode/batch_search.h) finds by
/// beam_search over a ModelStepper, found by hand-written steps. Each thread of the team translates
/// sentences of its own, `batch_size` together, long ones first; one that is done leaves and others
/// take its place. Results come in the order of the sources; an empty source has one empty
/// hypothesis.
std::vector<std::vector<Hypothesis>> fused_search(const InferenceModel& model,
                                                  const std::vector<std::vector<int32_t>>& sources,
                                                  int64_t batch_size, const SearchOptions& options,
                                                  ThreadTeam& team,
                                                  const ConstraintList& constraint_list = {});

}  // namespace nmt
