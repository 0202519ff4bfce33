#pragma once

#include <string>
#include <vector>

#include "config/settings.h"
#include "planning/corpus_profile.h"

namespace nmt {

/// What trains.
struct TrainingMachine {
  int threads = 1;
  double products_per_second = 0;  // multiply-adds of one thread (training_estimate.h)
  bool bfloat16 = false;           // has fast bfloat16 products
};

struct SettingsChoice {
  Settings settings;  // nothing in them is automatic any more, but what a TimePlan decides
  std::vector<std::string> reasons;  // a line each; none where nothing was chosen
};

/// Chooses the settings that are automatic, by the table and the rules in choose_settings.cpp
/// (docs/defaults.md), from the corpus, train.max_minutes and the machine. Settings that were given
/// keep their values, and the others are chosen to go with them.
///
/// A run from train.initial_model takes its network and vocabularies from there, and the fixed
/// defaults for the rest; so does a language model. Throws Error where that model cannot be read.
SettingsChoice choose_settings(const Settings& given, const CorpusProfile& corpus,
                               const TrainingMachine& machine);

/// The corpora of the settings and this machine.
SettingsChoice choose_settings(const Settings& given, int processes = 1);

}  // namespace nmt
