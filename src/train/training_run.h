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

/// Everything that a Trainer needs, prepared.
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

/// Opens the device of the settings; each of several processes on one machine gets its own GPU.
/// Throws Error, also if the device does not support the settings.
torch::Device open_training_device(const Settings& settings, const ProcessGroup& group);

/// Prepares the corpora into the cache, once per machine. Throws Error, also if machines have
/// different corpora. `group` must outlive the result.
TrainingRun prepare_run(const RunFingerprint& fingerprint, const torch::Device& device,
                        const Tokenizers& tokenizers, const std::filesystem::path& cache_dir,
                        ProcessGroup& group);

/// A new network, initialized from the seed or train.initial_model. If `state` is given, its
/// weights will replace them and are left arbitrary. Throws Error.
Seq2Seq initial_network(const TrainingRun& run, const std::optional<RunState>& state);

}  // namespace nmt
