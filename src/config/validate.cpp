#include "config/validate.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "config/suggest.h"
#include "errors/error.h"
#include "nn/attention_kinds.h"

namespace nmt {
namespace {

constexpr int64_t kMostThreads = 1024;
constexpr int64_t kMostWidth = 16384;
constexpr int64_t kMostLayers = 64;
constexpr int64_t kMostBeam = 1000;
constexpr int64_t kMost = 1000000000;  // sums and products of two still fit into 64 bits

void require_one_of(const char* name, const std::string& value,
                    const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  std::string list;
  for (const auto& choice : allowed) list += (list.empty() ? "" : ", ") + choice;
  throw Error(std::string(name) + ": '" + value + "' is none of " + list +
              suggestion(value, allowed));
}

template <typename T>
void require(bool holds, const char* name, T value, const char* expected) {
  if (holds) return;
  std::ostringstream message;
  message << name << ": " << value << " is out of range; it has to be " << expected;
  throw Error(message.str());
}

template <typename T>
void require_positive(const char* name, T value) {
  require(value > 0 && value <= kMost, name, value, "above 0 and at most 1000000000");
}

template <typename T>
void require_not_negative(const char* name, T value) {
  require(value >= 0 && value <= kMost, name, value, "from 0 to 1000000000");
}

void require_probability(const char* name, double value) {
  require(value >= 0 && value < 1, name, value, "at least 0 and below 1");
}

void validate_corpora(const DataConfig& data) {
  const auto count = [](const auto& list) { return std::to_string(list.size()); };
  if (data.train_source.size() != data.train_target.size()) {
    throw Error("data.train_source and data.train_target: " + count(data.train_source) + " and " +
                count(data.train_target) + " files; each corpus needs one of each");
  }
  if (data.train_weights.empty()) return;
  if (data.train_weights.size() != data.train_source.size()) {
    throw Error("data.train_weights has " + count(data.train_weights) + " weights for " +
                count(data.train_source) + " corpora; each needs one, or all none");
  }
  for (const double weight : data.train_weights) {
    require(weight > 0 && weight <= kMost, "data.train_weights", weight,
            "above 0 and at most 1000000000");
  }
}

void validate_data(const DataConfig& data) {
  validate_corpora(data);
  require_one_of("data.batch_type", data.batch_type, {"sentences", "tokens"});
  require_positive("data.batch_size", data.batch_size);
  require_positive("data.max_length", data.max_length);
  require_positive("data.bucket_batches", data.bucket_batches);
  require(data.max_ratio == 0 || data.max_ratio >= 1, "data.max_ratio", data.max_ratio,
          "at least 1, or 0 to keep every pair");
  require(data.source_sampling >= 0 && data.source_sampling < 1, "data.source_sampling",
          data.source_sampling, "at least 0 and below 1");
  require(data.target_sampling >= 0 && data.target_sampling < 1, "data.target_sampling",
          data.target_sampling, "at least 0 and below 1");
}

void validate_vocab(const VocabConfig& vocab) {
  require_one_of("vocab.type", vocab.type, {"unigram", "bpe"});
  require_one_of("vocab.normalization", vocab.normalization,
                 {"nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"});
  require(vocab.source_size >= 8, "vocab.source_size", vocab.source_size, "at least 8");
  require(vocab.target_size >= 8, "vocab.target_size", vocab.target_size, "at least 8");
  require(vocab.character_coverage >= 0.98 && vocab.character_coverage <= 1,
          "vocab.character_coverage", vocab.character_coverage, "from 0.98 to 1");
  if (vocab.joint && !vocab.target_model.empty() && vocab.target_model != vocab.source_model) {
    throw Error("vocab.target_model: " + vocab.target_model +
                " would not be used: with vocab.joint, vocab.source_model serves both languages");
  }
}

// Also where one ready model is named for both.
bool has_one_vocabulary(const VocabConfig& vocab) {
  return vocab.joint || (!vocab.source_model.empty() && vocab.source_model == vocab.target_model);
}

void validate_schedule(const TrainConfig& train) {
  require_one_of("train.schedule", train.schedule,
                 {"constant", "inverse_sqrt", "noam", "step", "plateau"});
  require_not_negative("train.warmup_updates", train.warmup_updates);
  require_not_negative("train.decay_start_epoch", train.decay_start_epoch);
  require_positive("train.decay_epochs", train.decay_epochs);
  require(train.decay_factor > 0 && train.decay_factor < 1, "train.decay_factor",
          train.decay_factor, "above 0 and below 1");
  require_positive("train.plateau_patience", train.plateau_patience);
  require_not_negative("train.min_learning_rate", train.min_learning_rate);
}

void validate_objective(const TrainConfig& train) {
  require_one_of("train.objective", train.objective,
                 {"likelihood", "scheduled_sampling", "r_drop", "minimum_risk", "dual"});
  require(train.sampling_probability >= 0 && train.sampling_probability <= 1,
          "train.sampling_probability", train.sampling_probability, "from 0 to 1");
  require_not_negative("train.r_drop_weight", train.r_drop_weight);
  require_one_of("train.risk_reward", train.risk_reward, {"gleu", "bleu", "chrf"});
  require(train.risk_samples >= 2 && train.risk_samples <= kMostBeam, "train.risk_samples",
          train.risk_samples, "from 2 to 1000: each is compared with the others");
  require_not_negative("train.risk_likelihood", train.risk_likelihood);
  require_not_negative("train.dual_weight", train.dual_weight);
  if (train.objective != "dual") return;
  for (const auto& [name, path] : {std::pair{"train.reverse_model", &train.reverse_model},
                                   {"train.source_lm", &train.source_lm},
                                   {"train.target_lm", &train.target_lm}}) {
    if (path->empty()) throw Error(std::string(name) + ": dual needs it; docs/language-models.md");
  }
}

void validate_train(const TrainConfig& train) {
  validate_objective(train);
  require_one_of("train.optimizer", train.optimizer, {"adam", "adamw", "sgd"});
  require_one_of("train.engine", train.engine, {"auto", "plain", "fused"});
  require_one_of("train.precision", train.precision, {"float32", "bfloat16", "float16"});
  // The guard against divergence answers to one that is too large.
  require(train.learning_rate > 0 && train.learning_rate <= 1e100, "train.learning_rate",
          train.learning_rate, "above 0 and at most 1e100");
  require(train.adam_beta1 >= 0 && train.adam_beta1 < 1, "train.adam_beta1", train.adam_beta1,
          "at least 0 and below 1");
  require(train.adam_beta2 >= 0 && train.adam_beta2 < 1, "train.adam_beta2", train.adam_beta2,
          "at least 0 and below 1");
  require_positive("train.adam_epsilon", train.adam_epsilon);
  require_not_negative("train.momentum", train.momentum);
  require_not_negative("train.weight_decay", train.weight_decay);
  require_not_negative("train.clip_norm", train.clip_norm);
  require_probability("train.label_smoothing", train.label_smoothing);
  require_positive("train.accumulation", train.accumulation);
  require(train.seed >= 0, "train.seed", train.seed, "0 or more");
  require_not_negative("train.max_epochs", train.max_epochs);
  require_not_negative("train.max_updates", train.max_updates);
  require_not_negative("train.max_minutes", train.max_minutes);
  require_positive("train.log_every", train.log_every);
  require_not_negative("train.save_every", train.save_every);
  require_not_negative("train.save_every_minutes", train.save_every_minutes);
  require_not_negative("train.keep_last", train.keep_last);
  require(train.ema >= 0 && train.ema < 1, "train.ema", train.ema, "at least 0 and below 1");
  require(train.threads >= 0 && train.threads <= kMostThreads, "train.threads", train.threads,
          "from 0 to 1024");
}

void validate_validation(const ValidationConfig& validation) {
  require_one_of("validation.metric", validation.metric, {"loss", "perplexity", "bleu", "chrf"});
  require_not_negative("validation.every", validation.every);
  require_not_negative("validation.patience", validation.patience);
  require_positive("validation.batch_size", validation.batch_size);
  require(validation.beam_size > 0 && validation.beam_size <= kMostBeam, "validation.beam_size",
          validation.beam_size, "from 1 to 1000");
  require(validation.length_penalty >= -10 && validation.length_penalty <= 10,
          "validation.length_penalty", validation.length_penalty, "from -10 to 10");
  require_not_negative("validation.max_sentences", validation.max_sentences);
  require_positive("validation.keep_best", validation.keep_best);
  require_not_negative("validation.samples", validation.samples);
}

void validate_language_model(const Settings& settings) {
  if (settings.model.architecture != "language_model") return;
  const auto& metric = settings.validation.metric;
  if (metric != "loss" && metric != "perplexity") {
    throw Error("validation.metric: " + metric +
                " judges translations, and a language model makes none; set it to loss or "
                "perplexity");
  }
}

void validate_heads(const ModelConfig& model) {
  require(model.heads > 0 && model.heads <= kMostWidth, "model.heads", model.heads,
          "from 1 to 16384");
  const bool used = model.architecture == "transformer" || model.attention == "multi-head";
  if (!used || model.hidden_size % model.heads == 0) return;
  throw Error("model.heads: " + std::to_string(model.heads) + " do not divide model.hidden_size (" +
              std::to_string(model.hidden_size) + ")");
}

}  // namespace

void validate_model(const Settings& settings) {
  const ModelConfig& model = settings.model;
  require_one_of("model.architecture", model.architecture,
                 {"recurrent", "transformer", "language_model"});
  require_one_of("model.cell", model.cell, {"gru", "lstm"});
  require_one_of("model.attention", model.attention, attention_names());
  require_one_of("model.encoder_output", model.encoder_output, {"concatenated", "summed"});
  require_one_of("model.tied_embeddings", model.tied_embeddings, {"none", "target", "all"});
  require(model.embedding_size > 0 && model.embedding_size <= kMostWidth, "model.embedding_size",
          model.embedding_size, "from 1 to 16384");
  require(model.num_layers > 0 && model.num_layers <= kMostLayers, "model.num_layers",
          model.num_layers, "from 1 to 64");
  require_positive("model.embedding_deviation", model.embedding_deviation);
  require(model.hidden_size > 0 && model.hidden_size % 2 == 0, "model.hidden_size",
          model.hidden_size, "even: each direction of the encoder has half of it");
  require(model.hidden_size <= kMostWidth, "model.hidden_size", model.hidden_size, "at most 16384");
  require_probability("model.dropout", model.dropout);
  require_probability("model.word_dropout", model.word_dropout);
  require_probability("model.layer_dropout", model.layer_dropout);
  require(model.feed_forward_size > 0 && model.feed_forward_size <= kMostWidth,
          "model.feed_forward_size", model.feed_forward_size, "from 1 to 16384");
  validate_heads(model);
  if (model.architecture == "transformer" && model.embedding_size != model.hidden_size) {
    throw Error("model.architecture: a transformer has one width: set model.embedding_size (" +
                std::to_string(model.embedding_size) + ") and model.hidden_size (" +
                std::to_string(model.hidden_size) + ") equal");
  }
  if (model.tied_embeddings == "none") return;
  if (model.embedding_size != model.hidden_size) {
    throw Error("model.tied_embeddings: " + model.tied_embeddings +
                " needs model.embedding_size == model.hidden_size (" +
                std::to_string(model.embedding_size) + " and " + std::to_string(model.hidden_size) +
                "); set them equal, or tied_embeddings to none");
  }
  if (model.tied_embeddings == "all" && !has_one_vocabulary(settings.vocab)) {
    throw Error(
        "model.tied_embeddings: all needs one vocabulary for both languages; set "
        "vocab.joint to true, or tied_embeddings to target");
  }
}

void validate(const Settings& settings) {
  validate_data(settings.data);
  validate_vocab(settings.vocab);
  validate_model(settings);
  validate_train(settings.train);
  validate_schedule(settings.train);
  validate_validation(settings.validation);
  validate_language_model(settings);
}

}  // namespace nmt
