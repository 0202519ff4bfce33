#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "decode/decoding_constraints.h"
#include "decode/hypothesis.h"
#include "decode/search_options.h"
#include "decode/stepper.h"
#include "threads/thread_team.h"

namespace nmt {

/// Searches one batch by greedy search, beam search or sampling, as set in `options`.
/// source [B, S], lengths [B] as for Stepper::start().
///
/// Returns for each sentence its best hypotheses, best first: n_best of them unless fewer exist.
/// A sentence leaves the batch once SentenceBeam::done(). Log-probabilities are the model's own,
/// also of samples, without temperature and truncation. The beams of many sentences advance on the
/// threads of the team, if there is one.
HypothesisLists search_batch(Stepper& stepper, const torch::Tensor& source,
                             const torch::Tensor& lengths, const SearchOptions& options,
                             const ConstraintList& constraint_list = {},
                             ThreadTeam* team = nullptr);

/// Translates any number of token sequences, batch_size at a time, similar lengths together; fewer
/// at a time once memory runs out. Results come in the order of the sources; an empty source has
/// one empty hypothesis.
HypothesisLists search_all(Stepper& stepper, const TokenLists& sources, int64_t batch_size,
                           const SearchOptions& options, const ConstraintList& constraint_list = {},
                           ThreadTeam* team = nullptr);

}  // namespace nmt
