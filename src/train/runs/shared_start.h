#pragma once

#include <map>
#include <optional>
#include <string>

#include "checkpoint/model_directory.h"
#include "distributed/process_group.h"
#include "nn/seq2seq.h"
#include "train/runs/run_state.h"
#include "train/training_inputs.h"

namespace nmt {

/// What a run begins or goes on with, which the leader alone has found out.
struct SharedStart {
  Tokenizers tokenizers;
  std::map<std::string, std::string> content;  // of RunOrigin
  std::optional<RunState> state;
};

/// Gives all processes what the leader, whose state is in the directory, has; the others' argument
/// says nothing. They need not see the leader's files.
SharedStart share_start(const SharedStart& start, const ModelDirectory& directory,
                        ProcessGroup& peers);

/// The leader's parameters in place of the others'.
void share_weights(const Seq2Seq& network, ProcessGroup& peers);

}  // namespace nmt
