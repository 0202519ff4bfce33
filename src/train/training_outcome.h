#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "data/corpus_report.h"
#include "train/runs/run_fingerprint.h"
#include "train/validation.h"

namespace nmt {

/// How a run ended.
struct TrainingOutcome {
  int64_t updates = 0;
  int64_t skipped_updates = 0;  // of these; loss or gradient was not finite
  int64_t epochs = 0;           // epochs begun
  int64_t target_tokens = 0;    // trained on, EOS and repetitions included
  double minutes = 0.0;
  std::string stop_reason;
  bool finished = false;  // not interrupted
  bool usable = true;     // some validation was better than guessing, or there was none
  double lowest_loss = std::numeric_limits<double>::infinity();  // minimum over all validations
  int64_t best_update = 0;
  std::optional<ValidationResult> best;
};

/// The best validation: {"update": …, "loss": …, …}, or null.
nlohmann::ordered_json best_to_json(const TrainingOutcome& outcome);
void restore_best(const nlohmann::json& best, TrainingOutcome& outcome);

/// Writes training.json, a summary of the run and its result for users and `nmt info`.
void write_training_summary(const std::filesystem::path& path, const RunFingerprint& run,
                            const CorpusReport& corpora, int64_t parameters,
                            const TrainingOutcome& outcome);

}  // namespace nmt
