#pragma once

#include <string>
#include <vector>

#include "config/settings.h"
#include "planning/corpus_profile.h"

namespace nmt {

/// The machine that trains.
struct TrainingMachine {
  int threads = 1;
  double products_per_second = 0;  // multiply-adds of one thread (training_estimate.h)
  bool bfloat16 = false;           // has fast bfloat16 products
};

struct SettingsChoice {
  Settings settings;                 // none automatic, except what a TimePlan decides
  std::vector<std::string> reasons;  // one line each; empty if nothing was chosen
};

/// Chooses the automatic settings from the corpus, train.max_minutes and the machine, by the table
/// and rules in choose_settings.cpp (docs/defaults.md). Given settings keep their values; the
/// others are chosen to fit them.
///
/// A run from train.initial_model takes network and vocabularies from that model and fixed defaults
/// for the rest; a language model takes fixed defaults. Throws Error if the initial model cannot be
/// read.
SettingsChoice choose_settings(const Settings& given, const CorpusProfile& corpus,
                               const TrainingMachine& machine);

/// The same for the corpora that the settings name and this machine.
SettingsChoice choose_settings(const Settings& given, int processes = 1);

}  // namespace nmt
