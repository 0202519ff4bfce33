#pragma once

#include <torch/types.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "checkpoint/model_directory.h"
#include "config/settings.h"
#include "distributed/process_group.h"
#include "nn/seq2seq.h"
#include "train/runs/run_origin.h"
#include "train/runs/run_state.h"
#include "train/trainer.h"
#include "train/training_inputs.h"
#include "train/validation.h"

namespace nmt {

/// What a run trains on, ready for a trainer.
struct TrainingRun {
  RunOrigin origin;
  torch::Device device;
  TrainingCorpora corpora;
  std::optional<Validator> validator;
  Seq2SeqOptions network;
  Tokenizers tokenizers;
  std::filesystem::path cache_dir;
  ProcessGroup& peers;
};

/// The device that the settings name; of several processes on one machine each gets a GPU of its
/// own. Throws Error also where it cannot compute what the settings ask for.
torch::Device open_training_device(const Settings& settings, const ProcessGroup& peers);

/// Prepares the corpora into the cache, once on every machine. Throws Error,
/// also where the settings do not go together or the machines have other corpora. The run is one of
/// `peers`, who have to outlive it.
TrainingRun prepare_run(const RunOrigin& origin, const torch::Device& device,
                        const Tokenizers& tokenizers, const std::filesystem::path& cache_dir,
                        ProcessGroup& peers);

/// A new network with the weights that the seed gives or train.initial_model has; where there is a
/// `state` to go on from, with any. Throws Error.
Seq2Seq initial_network(const TrainingRun& run, const std::optional<RunState>& state);

/// At the beginning, or where `state` says. `run` has to outlive it.
std::unique_ptr<Trainer> make_trainer(const TrainingRun& run, const Seq2Seq& network,
                                      const ModelDirectory& directory,
                                      const std::optional<RunState>& state);

}  // namespace nmt
