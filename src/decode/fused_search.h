#pragma once

#include <cstdint>
#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "fused/token_predictor.h"
#include "threads/thread_team.h"

namespace nmt {

/// Greedy search, beam search and sampling by the fused engine, with the results of search_all()
/// (decode/batch_search.h) over the plain models. Each thread translates its own sentences, longest
/// first, `batch_size` at a time; finished sentences are replaced immediately. Results come in the
/// order of the sources; an empty source has one empty hypothesis.
HypothesisLists fused_search(const ModelEnsemble& models, const TokenLists& sources,
                             int64_t batch_size, const SearchOptions& options, ThreadTeam& team,
                             const ConstraintList& constraint_list = {});

}  // namespace nmt
