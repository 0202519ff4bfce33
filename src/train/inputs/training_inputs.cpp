#include "train/inputs/training_inputs.h"

#include <string>
#include <utility>

#include "checkpoint/stored_model.h"
#include "errors/error.h"
#include "errors/log.h"
#include "processes/interrupt.h"
#include "text/model_description.h"
#include "text/placeholders.h"
#include "text/target_languages.h"
#include "text/tokenizer_training.h"
#include "threads/threads.h"
#include "train/inputs/held_out_texts.h"

namespace nmt {
namespace {

constexpr int64_t kProgressLines = int64_t{1} << 18;

using Paths = std::vector<std::string>;

/// The vocabulary in the file `model`, or a new one if it is empty.
Tokenizer ready_or_trained(const std::string& model, const Settings& settings, const Paths& corpora,
                           int64_t size, UnicodeNormalization normalization,
                           const std::string& name) {
  if (!model.empty()) return Tokenizer::from_file(model);
  TokenizerTraining training;
  training.corpora.assign(corpora.begin(), corpora.end());
  training.vocabulary_size = size;
  training.type = settings.vocab.type;
  training.character_coverage = settings.vocab.character_coverage;
  training.byte_fallback = settings.vocab.byte_fallback;
  training.normalization = normalization;
  training.held_out = left_out_sentences(settings.data);
  if (settings.vocab.placeholders) {
    training.placeholders = find_placeholders(settings.data.train_source,
                                              settings.data.train_target, training.held_out);
  }
  training.seed = static_cast<uint64_t>(settings.train.seed);
  training.threads = number_of_threads(settings.train.threads);
  log_info("training the {} vocabulary", name);
  auto tokenizer = Tokenizer::from_bytes(train_tokenizer(training), name + " vocabulary");
  log_info("{} vocabulary  pieces {}", name, tokenizer.vocabulary_size());
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
  request.other_advice = ", or give those of training texts with data.train_languages";
  return request;
}

/// The corpus's name in messages; several corpora are numbered.
std::string training_name(size_t corpus, const DataConfig& data) {
  const auto number = data.train_source.size() == 1 ? "" : " " + std::to_string(corpus + 1);
  return "training corpus" + number;
}

void warn_of_unknown(const std::string& corpus, const char* side, int64_t unknown, int64_t tokens) {
  const double percent = unknown_percent(unknown, tokens);
  if (percent <= kManyUnknownPercent) return;
  log_warning(
      "{}: {:.0f} % of the {} tokens are unknown to the vocabulary; check the languages of the "
      "text and of vocab.source_model, vocab.target_model, train.initial_model or --side",
      corpus, percent, side);
}

ParallelCorpus prepare(CorpusRequest request, const Tokenizers& tokenizers,
                       const std::string& name) {
  int64_t logged = 0;
  request.progress = [&](int64_t lines) {
    stop_if_interrupted("interrupted while preparing the corpora; nothing was trained");
    if (lines / kProgressLines > logged / kProgressLines) {
      log_info("{}  lines {}", name, lines);
    }
    logged = lines;
  };
  request.goes_on = [&](int64_t lines) {
    log_info("{}  resuming its preparation after line {}", name, lines);
    logged = lines;
  };
  auto corpus = prepare_corpus(request, tokenizers.source, tokenizers.target);
  const auto& report = corpus.report();
  const bool pairs = unit_of(request) == CorpusUnit::kPairs;
  log_info("{}  {}", name, to_text(report, unit_of(request)));
  if (pairs) warn_of_unknown(name, "source", report.source_unknown, report.source_tokens);
  warn_of_unknown(name, pairs ? "target" : "text's", report.target_unknown, report.target_tokens);
  return corpus;
}

/// Given or trained vocabularies, before pieces of target languages are added.
Tokenizers text_tokenizers(const Settings& settings) {
  const auto& vocab = settings.vocab;
  auto texts = settings.data.train_source;
  const auto& targets = settings.data.train_target;
  if (vocab.joint) texts.insert(texts.end(), targets.begin(), targets.end());
  const auto source = ready_or_trained(vocab.source_model, settings, texts, vocab.source_size,
                                       vocab.normalization, vocab.joint ? "joint" : "source");
  if (vocab.joint) return {source, source};
  const auto of_target =
      parse_choice<UnicodeNormalization>(choice_name(vocab.target_normalization));
  return {source, ready_or_trained(vocab.target_model, settings, targets, vocab.target_size,
                                   of_target.value_or(vocab.normalization), "target")};
}

void require_segmentations(const char* setting, double sampling, const Tokenizer& tokenizer) {
  const auto type = describe_sentencepiece_model(tokenizer.bytes()).type;
  if (sampling == 0 || type == "unigram" || type == "bpe") return;
  throw Error(std::string(setting) + ": a vocabulary of type " + type +
              " has no segmentations to sample; use a unigram or bpe vocabulary");
}

}  // namespace

Tokenizers make_tokenizers(const Settings& settings) {
  if (!settings.train.initial_model.empty()) {
    const auto model = read_model(settings.train.initial_model);
    return {model.source.as_written(), model.target.as_written()};
  }
  auto tokenizers = text_tokenizers(settings);
  const auto& languages = settings.data.train_languages;
  if (languages.empty()) return tokenizers;
  const bool one = tokenizers.source.bytes() == tokenizers.target.bytes();
  tokenizers.source = with_languages(tokenizers.source, languages, "source vocabulary");
  if (one) tokenizers.target = tokenizers.source;
  return tokenizers;
}

std::vector<double> corpus_weights(const DataConfig& data,
                                   const std::vector<ParallelCorpus>& corpora) {
  return data.sampling_temperature == 1 ? data.train_weights
                                        : temperature_weights(corpora, data.sampling_temperature);
}

std::vector<CorpusRequest> training_corpus_requests(const Settings& settings,
                                                    const std::filesystem::path& cache_dir) {
  const auto& data = settings.data;
  const auto held_out = left_out_sentences(data);
  std::vector<CorpusRequest> requests;
  for (size_t i = 0; i < data.train_source.size(); ++i) {
    requests.push_back(
        corpus_request(settings, cache_dir, data.train_source[i], data.train_target[i]));
    requests.back().held_out = held_out;
    if (!data.train_languages.empty()) requests.back().target_language = data.train_languages[i];
    if (!data.train_alignments.empty()) requests.back().alignment_path = data.train_alignments[i];
    if (!data.train_sentence_weights.empty()) {
      requests.back().weight_path = data.train_sentence_weights[i];
    }
  }
  return requests;
}

CorpusMixture prepare_training_corpora(const Settings& settings,
                                       const std::filesystem::path& cache_dir,
                                       const Tokenizers& tokenizers) {
  std::vector<ParallelCorpus> corpora;
  for (const auto& request : training_corpus_requests(settings, cache_dir)) {
    corpora.push_back(prepare(request, tokenizers, training_name(corpora.size(), settings.data)));
  }
  const auto weights = corpus_weights(settings.data, corpora);
  return CorpusMixture(std::move(corpora), weights);
}

TrainingCorpora prepare_corpora(const Settings& settings, const std::filesystem::path& cache_dir,
                                const Tokenizers& tokenizers) {
  const auto& data = settings.data;
  require_segmentations("data.source_subword_sampling", data.source_subword_sampling,
                        tokenizers.source);
  require_segmentations("data.target_subword_sampling", data.target_subword_sampling,
                        tokenizers.target);
  TrainingCorpora corpora{prepare_training_corpora(settings, cache_dir, tokenizers), {}};
  if (data.valid_source.empty()) {
    log_warning(
        "no validation set: the last state becomes the model, without early stopping; use {}",
        settings.model.architecture == Architecture::kLanguageModel ? "--valid" : "--valid-sets");
  } else {
    corpora.validation =
        prepare(corpus_request(settings, cache_dir, data.valid_source, data.valid_target),
                tokenizers, "validation corpus");
  }
  return corpora;
}

std::vector<ParallelCorpus> all_of(const TrainingCorpora& corpora) {
  auto all = corpora.training.corpora();
  if (corpora.validation) all.push_back(*corpora.validation);
  return all;
}

}  // namespace nmt
