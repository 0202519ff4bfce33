#include "train/training_run.h"

#include <torch/utils.h>

#include <utility>

#include "checkpoint/model.h"
#include "nn/device.h"

namespace nmt {

TrainingRun prepare_run(const RunOrigin& origin, const Tokenizers& tokenizers,
                        const std::filesystem::path& cache_dir) {
  const Settings& settings = origin.settings;
  TrainingRun run{origin,
                  open_device(settings.train.device),
                  prepare_corpora(settings, cache_dir, tokenizers),
                  {},
                  network_options(settings.model, tokenizers.source.vocabulary_size(),
                                  tokenizers.target.vocabulary_size()),
                  tokenizers,
                  cache_dir};
  if (run.corpora.validation) {
    run.validator.emplace(settings, tokenizers.source, tokenizers.target, *run.corpora.validation,
                          run.device);
  }
  return run;
}

Seq2Seq make_network(const TrainingRun& run) {
  torch::manual_seed(static_cast<uint64_t>(run.origin.settings.train.seed));
  Seq2Seq network(run.network);
  network->to(run.device);
  return network;
}

std::unique_ptr<Trainer> make_trainer(const TrainingRun& run, const Seq2Seq& network,
                                      const ModelDirectory& directory,
                                      const std::optional<RunState>& state) {
  auto corpora = std::make_unique<EpochCorpora>(run.origin, run.tokenizers, run.cache_dir,
                                                run.corpora.training);
  auto trainer =
      std::make_unique<Trainer>(run.origin, network, std::move(corpora),
                                run.validator ? &*run.validator : nullptr, directory, run.device);
  if (state) trainer->restore(*state);
  return trainer;
}

}  // namespace nmt
