#pragma once

#include <torch/types.h>

#include <filesystem>
#include <optional>

#include "config/settings.h"
#include "distributed/process_group.h"
#include "nn/seq2seq.h"
#include "train/inputs/training_inputs.h"
#include "train/runs/run_fingerprint.h"
#include "train/runs/run_state.h"
#include "train/validation.h"

namespace nmt {

/// What a run trains on, prepared for a Trainer.
struct TrainingRun {
  RunFingerprint fingerprint;
  torch::Device device;
  TrainingCorpora corpora;
  std::optional<Validator> validator;
  Seq2SeqOptions network;
  Tokenizers tokenizers;
  std::filesystem::path cache_dir;
  ProcessGroup& group;
};

/// The device of the settings; each of several processes on one machine gets a GPU of its own.
/// Throws Error also where it cannot compute what the settings ask for.
torch::Device open_training_device(const Settings& settings, const ProcessGroup& group);

/// Prepares the corpora into the cache, once on every machine. Throws Error, also where the
/// machines have different corpora. The group must outlive the run.
TrainingRun prepare_run(const RunFingerprint& fingerprint, const torch::Device& device,
                        const Tokenizers& tokenizers, const std::filesystem::path& cache_dir,
                        ProcessGroup& group);

/// A new network with the weights that the seed gives or train.initial_model has; with arbitrary
/// ones where a `state` brings them. Throws Error.
Seq2Seq initial_network(const TrainingRun& run, const std::optional<RunState>& state);

}  // namespace nmt
