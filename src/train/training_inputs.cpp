#include "train/training_inputs.h"

#include <spdlog/spdlog.h>

#include <string>
#include <utility>
#include <vector>

#include "checkpoint/stored_model.h"
#include "support/error.h"
#include "support/interrupt.h"
#include "support/threads.h"
#include "text/model_description.h"
#include "text/tokenizer_training.h"

namespace nmt {
namespace {

constexpr int64_t kProgressLines = int64_t{1} << 18;

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

CorpusRequest corpus_request(const Settings& settings, const std::filesystem::path& cache_dir,
                             const std::string& source, const std::string& target) {
  CorpusRequest request;
  request.source_path = source;
  request.target_path = target;
  request.cache_dir = cache_dir;
  request.max_length = settings.data.max_length;
  request.max_ratio = settings.data.max_ratio;
  request.threads = number_of_threads(settings.train.threads);
  return request;
}

ParallelCorpus prepare(CorpusRequest request, const Tokenizers& tokenizers,
                       const std::string& name) {
  request.progress = [&](int64_t lines) {
    if (interrupted())
      throw Interrupted("interrupted while preparing the corpora; nothing was trained");
    if (lines % kProgressLines == 0) spdlog::info("{} corpus  lines {}", name, lines);
  };
  auto corpus = prepare_corpus(request, tokenizers.source, tokenizers.target);
  spdlog::info("{} corpus  {}", name, to_text(corpus.report()));
  return corpus;
}

void require_segmentations(const char* setting, double sampling, const Tokenizer& tokenizer) {
  const auto type = describe_model(tokenizer.bytes()).type;
  if (sampling == 0 || type == "unigram" || type == "bpe") return;
  throw Error(std::string(setting) + ": the vocabulary is one of type " + type +
              ", which has no segmentations to sample; only unigram and bpe have");
}

}  // namespace

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

Tokenizers make_tokenizers(const Settings& settings) {
  const auto& vocab = settings.vocab;
  const auto& data = settings.data;
  if (!settings.train.initial_model.empty()) {
    const auto model = read_model(settings.train.initial_model);
    return {model.source, model.target};
  }
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

CorpusRequest training_corpus_request(const Settings& settings,
                                      const std::filesystem::path& cache_dir) {
  const auto& data = settings.data;
  return corpus_request(settings, cache_dir, data.train_source, data.train_target);
}

ParallelCorpus prepare_training_corpus(const Settings& settings,
                                       const std::filesystem::path& cache_dir,
                                       const Tokenizers& tokenizers) {
  return prepare(training_corpus_request(settings, cache_dir), tokenizers, "training");
}

TrainingCorpora prepare_corpora(const Settings& settings, const std::filesystem::path& cache_dir,
                                const Tokenizers& tokenizers) {
  const auto& data = settings.data;
  require_segmentations("data.source_sampling", data.source_sampling, tokenizers.source);
  require_segmentations("data.target_sampling", data.target_sampling, tokenizers.target);
  TrainingCorpora corpora{prepare_training_corpus(settings, cache_dir, tokenizers), {}};
  if (data.valid_source.empty()) {
    spdlog::warn("no validation corpus: the last state becomes the model, and nothing stops early");
  } else {
    corpora.validation =
        prepare(corpus_request(settings, cache_dir, data.valid_source, data.valid_target),
                tokenizers, "validation");
  }
  return corpora;
}

void remove_unused_caches(const std::filesystem::path& cache_dir, const TrainingCorpora& corpora) {
  std::vector<ParallelCorpus> used = {corpora.training};
  if (corpora.validation) used.push_back(*corpora.validation);
  remove_other_caches(cache_dir, used);
}

}  // namespace nmt
