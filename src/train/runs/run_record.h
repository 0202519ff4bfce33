#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "config/settings_io.h"
#include "train/runs/run_fingerprint.h"

namespace nmt {

/// The part of a training state besides its tensors (docs/model-format.md).
struct RunRecord {
  RunFingerprint fingerprint;
  nlohmann::json progress;  // counters, sums and lists
};

/// Writes the record into the metadata of a training state.
void write_run_record(const RunRecord& record, std::map<std::string, std::string>& metadata);

/// Reads the record from the metadata of a training state. Throws Error if the file is of another
/// kind, or a part is missing, of the wrong type or a negative count.
RunRecord parse_run_record(const std::map<std::string, std::string>& metadata,
                           const std::string& file, SettingsFrom from = SettingsFrom::kRun);

/// Throws the Error for a state with a missing part or a part of the wrong type.
[[noreturn]] void refuse_incomplete_state(const std::string& file);

}  // namespace nmt
