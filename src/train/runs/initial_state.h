#pragma once

#include <map>
#include <optional>
#include <string>

#include "checkpoint/model_directory.h"
#include "distributed/process_group.h"
#include "nn/seq2seq.h"
#include "text/tokenizer.h"
#include "train/runs/run_state.h"

namespace nmt {

/// What a run starts or resumes from. Only rank 0 determines it.
struct InitialState {
  Tokenizers tokenizers;
  std::map<std::string, std::string> content;  // as in RunFingerprint
  std::optional<RunState> state;
};

/// Broadcasts rank 0's initial state, with the RunState in its directory, to all processes. They
/// need no access to rank 0's files, and their `start` is ignored.
InitialState broadcast_initial_state(const InitialState& start, const ModelDirectory& directory,
                                     ProcessGroup& group);

/// Broadcasts rank 0's parameters.
void broadcast_weights(const Seq2Seq& network, ProcessGroup& group);

}  // namespace nmt
