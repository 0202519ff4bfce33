#pragma once

#include <string>

#include "train/train.h"

namespace nmt {

/// Proves on the user's own settings that interrupting and resuming changes nothing: trains a few
/// updates in one go, and again with interruptions, in a temporary directory, and compares weights,
/// optimizer, counters and metrics bit for bit. Nothing is written to the model directory. Returns
/// the verdict, one line. Throws Error that names the first difference.
std::string verify_resume(const TrainRequest& request);

}  // namespace nmt
