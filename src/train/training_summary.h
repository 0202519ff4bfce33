#pragma once

#include <filesystem>

#include "config/settings.h"
#include "data/corpus_report.h"
#include "train/training_outcome.h"

namespace nmt {

/// Writes training.json: what the run was and how it ended, for people and `nmt info`.
void write_training_summary(const std::filesystem::path& path, const Settings& settings,
                            const CorpusReport& corpora, int64_t parameters,
                            const TrainingOutcome& outcome);

}  // namespace nmt
