#pragma once

#include <string>

#include "config/settings.h"
#include "planning/run_history.h"

namespace nmt {

/// What would improve a finished run most, in one line with the evidence. Empty with fewer than
/// five validations or a loss that is not finite.
///
///   more time       the validation loss still falls: by 1 % or more in the last quarter of the
///                   run; or the run ended before its third epoch
///   more data       it rises after its lowest point, by 1 % or more; or the training loss, which
///                   dropout raises, is 10 % below the lowest validation loss
///   a larger model  otherwise: the network learns no more of what it is shown
///
/// `limit`: the flags that the advice for more time names.
std::string training_advice(const RunHistory& history, const std::string& limit);

/// The flag that raises the limit which ended a run, such as "--train.max-updates", and before it
/// the flag of the time from which the limit may come (TimePlan).
std::string limit_to_raise(const std::string& stop_reason, const TrainConfig& train,
                           const std::string& between = " and ");

/// The command that resumes a finished run with twice the limit that ended it, and in a run with a
/// time limit with twice the time: at the pace of the run, both then end together again.
std::string command_to_double(const std::string& directory, const std::string& stop_reason,
                              const Settings& settings);

}  // namespace nmt
