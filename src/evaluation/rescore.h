#pragma once

#include <filesystem>
#include <string>

#include "evaluation/score_files.h"

namespace nmt {

struct RescoringRequest {
  PairScoringRequest pairs;          // `target` is unused; the translator may have a language model
  std::filesystem::path list;        // in Moses format (formats/n_best_list.h), sorted by line
  std::string feature = "rescored";  // name of the new feature, a log-probability
  double weight = 1.0;               // of the new score; the old one gets 1 − weight
};

/// Writes the n-best lists with a new feature, the log-probability, each sorted by the total weight
/// · new + (1 − weight) · old score. The new score is the log-probability with the default length
/// normalization of nmt translate. Throws Error that names the line of the list.
void rescore_n_best(const RescoringRequest& request);

}  // namespace nmt
