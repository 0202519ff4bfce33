#pragma once

#include <cstdint>
#include <string>

#include "train/steps/schedule.h"
#include "train/training_run.h"

namespace nmt {

/// The updates from one validation to the next, at least 1.
int64_t validation_interval(const ValidationConfig& config, const EpochSize& epoch);

/// Estimated cost of a run on this machine in seconds, within a factor of about 1.5.
struct TrainingCost {
  double update = 0;
  double validation = 0;
  double before = 0;  // already spent: vocabularies, preparing the corpora
  double after = 0;   // calibrating confidence, scoring a test set
  EpochSize epoch{1, 1};
  double memory_bytes = 0;  // peak memory

  double update_with_validations(const ValidationConfig& config) const;
};

/// Times updates of a temporary network with the run's options on batches of various lengths; takes
/// about a second. Does not influence the run, if called before initial_network(). `before`:
/// seconds since work on the run began; `memory_bytes`: its estimated peak memory. Collective.
TrainingCost measure_training_cost(const TrainingRun& run, double before, double memory_bytes);

/// One line: the time that the run takes, and the memory if it uses the CPU.
std::string to_text(const TrainingCost& cost, const Settings& settings);

/// Warns of a run on the CPU that needs more memory than the `available` bytes; otherwise "".
std::string memory_warning(double memory_bytes, const Settings& settings, double available);

}  // namespace nmt
