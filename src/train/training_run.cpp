#include "train/training_run.h"

#include <torch/utils.h>

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
                                  tokenizers.target.vocabulary_size())};
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
  auto trainer =
      std::make_unique<Trainer>(run.origin, network, run.corpora.training,
                                run.validator ? &*run.validator : nullptr, directory, run.device);
  if (state) trainer->restore(*state);
  return trainer;
}

}  // namespace nmt
