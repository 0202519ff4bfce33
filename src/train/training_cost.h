#pragma once

#include <cstdint>
#include <string>

#include "train/steps/schedule.h"
#include "train/training_run.h"

namespace nmt {

/// What a run costs on this machine, within a factor of about 1.5. Seconds.
struct TrainingCost {
  double update = 0;
  double validation = 0;
  double before = 0;  // of what was done before: vocabularies, preparing the corpora
  double after = 0;   // calibrating confidence, scoring a test set
  EpochSize epoch{1, 1};
  double memory_bytes = 0;  // peak

  double update_with_validations(const ValidationConfig& config) const;
};

/// Makes a network of the run's options and times updates of it on batches of the run's corpora, of
/// all lengths; takes a second or so. The run's results do not depend on it, as it comes before
/// initial_network(). `before`: seconds since the program began to work on the run. Collective.
TrainingCost measure_training_cost(const TrainingRun& run, double before);

/// One line: the time that the settings take, and on a CPU memory.
std::string to_text(const TrainingCost& cost, const Settings& settings);

}  // namespace nmt
