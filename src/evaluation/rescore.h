#pragma once

#include <filesystem>
#include <string>

#include "evaluation/score_files.h"

namespace nmt {

struct RescoringRequest {
  PairScoringRequest pairs;          // without a target; the translator also with a language model
  std::filesystem::path list;        // in Moses format (formats/n_best_list.h), by rising line
  std::string feature = "rescored";  // name of the new feature, a log-probability
  double weight = 1.0;               // of the new score; the rest, up to 1, is the old one's
};

/// Writes the n-best lists with a new feature, each sorted by weight · new + (1 − weight) · old
/// score. The new score is the log-probability, normalized for length as nmt translate does by
/// default. Throws Error that names the line of the list.
void rescore_n_best(const RescoringRequest& request);

}  // namespace nmt
