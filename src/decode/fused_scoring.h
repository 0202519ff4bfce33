#pragma once

#include <cstdint>
#include <vector>

#include "decode/hypothesis.h"
#include "fused/token_predictor.h"
#include "threads/thread_team.h"

namespace nmt {

/// Natural-log probability of each target, EOS included, given its source of at least one token:
/// what score_batch() (decode/forced_scoring.h) computes with LibTorch, in the precision of the
/// model's weights. Each thread scores pairs of its own, `batch_size` at a time.
std::vector<double> fused_scores(const ModelEnsemble& models, const TokenLists& sources,
                                 const TokenLists& targets, int64_t batch_size, ThreadTeam& team);

}  // namespace nmt
