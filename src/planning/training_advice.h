#pragma once

#include <string>

#include "planning/run_history.h"

namespace nmt {

/// What would help a finished run most, in one line with the evidence; empty where its curves do
/// not say: fewer than five validations, or a loss that is not finite.
///
///   more time       the validation loss still falls: by 1 % or more in the last quarter of the
///                   run; or the run ended before its third epoch
///   more data       it rises after its lowest point, by 1 % or more; or the training loss, which
///                   dropout raises, is 10 % below the lowest validation loss
///   a larger model  otherwise: the network learns no more of what it is shown
///
/// `limit`: what to raise for more time.
std::string training_advice(
    const RunHistory& history,
    const std::string& limit = "--minutes, --train.max-epochs or --train.max-updates");

}  // namespace nmt
