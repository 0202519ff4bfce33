#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "train/runs/run_fingerprint.h"

namespace nmt {

/// What a training state says of its run besides its tensors (docs/model-format.md).
struct RunRecord {
  RunFingerprint fingerprint;
  nlohmann::json progress;  // counters, sums and lists
};

/// To the metadata of a training state.
void write_run_record(const RunRecord& record, std::map<std::string, std::string>& metadata);

/// From the metadata of a training state. Throws Error when it is of another kind, and when a part
/// of it is missing, of another type or a count below 0.
RunRecord parse_run_record(const std::map<std::string, std::string>& metadata,
                           const std::string& file);

/// Throws the Error of a state that lacks a part, or whose part is of another type.
[[noreturn]] void refuse_incomplete_state(const std::string& file);

}  // namespace nmt
