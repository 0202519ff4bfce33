#include "train/train.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <spdlog/spdlog.h>
#include <torch/utils.h>

#include <memory>
#include <optional>

#include "checkpoint/model.h"
#include "checkpoint/model_directory.h"
#include "checkpoint/model_parts.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "nn/device.h"
#include "support/interrupt.h"
#include "support/threads.h"
#include "train/trainer.h"
#include "train/training_inputs.h"
#include "train/training_summary.h"

namespace nmt {
namespace {

void write_inputs(const ModelDirectory& directory, const Settings& settings,
                  const Tokenizers& tokenizers) {
  write_parts(directory, {to_yaml(settings, /*with_comments=*/true), tokenizers.source.bytes(),
                          tokenizers.target.bytes(), "", ""});
}

}  // namespace

void train(const TrainRequest& request) {
  const Settings& settings = request.settings;
  validate(settings);
  catch_interrupts();
  require_corpora(settings.data);
  const ModelDirectory directory{request.model_dir};
  directory.require_free(request.overwrite);
  const auto device = open_device(settings.train.device);
  at::set_num_threads(number_of_threads(settings.train.threads));
  torch::manual_seed(static_cast<uint64_t>(settings.train.seed));

  directory.make();
  const auto tokenizers = make_tokenizers(settings);
  const auto corpora = prepare_corpora(settings, directory.corpus_cache(), tokenizers);
  std::optional<Validator> validator;
  if (corpora.validation) {
    validator.emplace(settings, tokenizers.source, tokenizers.target, *corpora.validation, device);
  }

  Seq2Seq network(network_options(settings.model, tokenizers.source.vocabulary_size(),
                                  tokenizers.target.vocabulary_size()));
  network->to(device);
  directory.clear();
  write_inputs(directory, settings, tokenizers);
  spdlog::info("model  parameters {}  device {}  threads {}", count_parameters(*network),
               settings.train.device, at::get_num_threads());
  Trainer trainer(settings, network, corpora.training, validator ? &*validator : nullptr, directory,
                  device, number_of_threads(settings.train.threads));
  const auto outcome = trainer.run();
  write_training_summary(directory.summary(), settings, corpora.training,
                         count_parameters(*network), outcome);
  spdlog::info("training ended: {}  updates {}  epochs {}  minutes {:.1f}", outcome.stop_reason,
               outcome.updates, outcome.epochs, outcome.minutes);
  spdlog::info("the model is in {}", directory.root.string());
}

}  // namespace nmt
