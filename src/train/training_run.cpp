#include "train/training_run.h"

#include <torch/utils.h>

#include <utility>

#include "checkpoint/model.h"
#include "checkpoint/model_files.h"
#include "checkpoint/weights.h"
#include "nn/device.h"
#include "support/error.h"
#include "train/training_step.h"

namespace nmt {
namespace {

void begin_from_initial_model(const TrainingRun& run, const Seq2Seq& network) {
  const auto& path = run.origin.settings.train.initial_model;
  if (path.empty()) return;
  const auto files = read_model_files(path);
  try {
    fill_weights(network, files.weights);
  } catch (const Error& error) {
    throw Error(std::string("train.initial_model: the settings under model do not fit: ") +
                error.what());
  }
}

}  // namespace

TrainingRun prepare_run(const RunOrigin& origin, const Tokenizers& tokenizers,
                        const std::filesystem::path& cache_dir) {
  const Settings& settings = origin.settings;
  const auto device = open_device(settings.train.device);
  const auto network = network_options(settings.model, tokenizers.source.vocabulary_size(),
                                       tokenizers.target.vocabulary_size());
  require_training_step(network, settings.train, device);
  TrainingRun run{origin,   device,  prepare_corpora(settings, cache_dir, tokenizers),
                  {},       network, tokenizers,
                  cache_dir};
  if (run.corpora.validation) {
    run.validator.emplace(settings, tokenizers.source, tokenizers.target, *run.corpora.validation,
                          run.device);
  }
  return run;
}

Seq2Seq make_network(const TrainingRun& run, const std::optional<RunState>& state) {
  torch::manual_seed(static_cast<uint64_t>(run.origin.settings.train.seed));
  Seq2Seq network = make_seq2seq(run.network);
  if (!state) begin_from_initial_model(run, network);
  network->to(run.device);
  return network;
}

std::unique_ptr<Trainer> make_trainer(const TrainingRun& run, const Seq2Seq& network,
                                      const ModelDirectory& directory,
                                      const std::optional<RunState>& state) {
  auto corpora = std::make_unique<EpochCorpora>(run.origin, run.tokenizers, run.cache_dir,
                                                run.corpora.training);
  auto trainer = std::make_unique<Trainer>(run.origin, network, std::move(corpora),
                                           run.validator ? &*run.validator : nullptr, directory,
                                           run.device, run.tokenizers);
  if (state) trainer->restore(*state);
  return trainer;
}

}  // namespace nmt
