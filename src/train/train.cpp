#include "train/train.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <spdlog/spdlog.h>
#include <torch/utils.h>

#include <memory>
#include <optional>

#include "checkpoint/model.h"
#include "checkpoint/model_directory.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "data/prepare.h"
#include "nn/device.h"
#include "support/error.h"
#include "support/file.h"
#include "support/interrupt.h"
#include "support/threads.h"
#include "text/tokenizer_training.h"
#include "train/trainer.h"
#include "train/training_summary.h"

namespace nmt {
namespace {

constexpr int64_t kProgressLines = int64_t{1} << 18;

struct Tokenizers {
  Tokenizer source;
  Tokenizer target;
};

void require_corpora(const DataConfig& data) {
  if (data.train_source.empty() || data.train_target.empty()) {
    throw Error(
        "no training corpus: say --train-sets SOURCE TARGET, or set data.train_source and "
        "data.train_target in the configuration");
  }
  if (data.valid_source.empty() != data.valid_target.empty()) {
    throw Error("data.valid_source and data.valid_target: one is set and the other is not");
  }
  for (const auto& path :
       {data.train_source, data.train_target, data.valid_source, data.valid_target}) {
    if (!path.empty() && !std::filesystem::exists(path)) throw Error(path + ": no such file");
  }
}

Tokenizer train_vocabulary(const Settings& settings, std::vector<std::filesystem::path> corpora,
                           int64_t size, const std::string& name) {
  TokenizerTraining training;
  training.corpora = std::move(corpora);
  training.vocabulary_size = size;
  training.type = settings.vocab.type;
  training.character_coverage = settings.vocab.character_coverage;
  training.byte_fallback = settings.vocab.byte_fallback;
  training.normalization = settings.vocab.normalization;
  training.seed = static_cast<uint64_t>(settings.train.seed);
  training.threads = number_of_threads(settings.train.threads);
  spdlog::info("training the {} vocabulary", name);
  const auto tokenizer = Tokenizer::from_bytes(train_tokenizer(training), name + " vocabulary");
  spdlog::info("{} vocabulary  pieces {}", name, tokenizer.vocabulary_size());
  return tokenizer;
}

Tokenizers make_tokenizers(const Settings& settings) {
  const auto& vocab = settings.vocab;
  const auto& data = settings.data;
  if (vocab.joint && vocab.source_model.empty()) {
    const auto both = train_vocabulary(settings, {data.train_source, data.train_target},
                                       vocab.source_size, "joint");
    return {both, both};
  }
  const auto ready_or_trained = [&](const std::string& model, const std::string& corpus,
                                    int64_t size, const std::string& name) {
    return model.empty() ? train_vocabulary(settings, {corpus}, size, name)
                         : Tokenizer::from_file(model);
  };
  auto source =
      ready_or_trained(vocab.source_model, data.train_source, vocab.source_size, "source");
  if (vocab.joint) return {source, source};
  return {source,
          ready_or_trained(vocab.target_model, data.train_target, vocab.target_size, "target")};
}

ParallelCorpus prepare(const Settings& settings, const ModelDirectory& directory,
                       const std::string& source, const std::string& target,
                       const Tokenizers& tokenizers, const std::string& name) {
  CorpusRequest request;
  request.source_path = source;
  request.target_path = target;
  request.cache_dir = directory.corpus_cache();
  request.max_length = settings.data.max_length;
  request.max_ratio = settings.data.max_ratio;
  request.threads = number_of_threads(settings.train.threads);
  request.progress = [&](int64_t lines) {
    if (interrupted()) throw Error("interrupted while preparing the corpora; nothing was trained");
    if (lines % kProgressLines == 0) spdlog::info("{} corpus  lines {}", name, lines);
  };
  auto corpus = prepare_corpus(request, tokenizers.source, tokenizers.target);
  spdlog::info("{} corpus  {}", name, to_text(corpus.report()));
  return corpus;
}

struct Corpora {
  ParallelCorpus training;
  std::optional<ParallelCorpus> validation;
};

Corpora prepare_both(const Settings& settings, const ModelDirectory& directory,
                     const Tokenizers& tokenizers) {
  const auto& data = settings.data;
  Corpora corpora{
      prepare(settings, directory, data.train_source, data.train_target, tokenizers, "training"),
      {}};
  std::vector<ParallelCorpus> used = {corpora.training};
  if (data.valid_source.empty()) {
    spdlog::warn("no validation corpus: the last state becomes the model, and nothing stops early");
  } else {
    corpora.validation = prepare(settings, directory, data.valid_source, data.valid_target,
                                 tokenizers, "validation");
    used.push_back(*corpora.validation);
  }
  remove_other_caches(directory.corpus_cache(), used);
  return corpora;
}

void write_inputs(const ModelDirectory& directory, const Settings& settings,
                  const Tokenizers& tokenizers) {
  write_file_atomically(directory.source_tokenizer(), tokenizers.source.bytes());
  write_file_atomically(directory.target_tokenizer(), tokenizers.target.bytes());
  write_file_atomically(directory.settings(), to_yaml(settings, /*with_comments=*/true));
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
  const auto corpora = prepare_both(settings, directory, tokenizers);
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
