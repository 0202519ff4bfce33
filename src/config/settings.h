#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "attentions/attention_kind.h"
#include "config/choices.h"
#include "config/objective_kind.h"
#include "config/range.h"

namespace nmt {

// Every setting of a training run is declared here once: field, default, meaning and range. The
// YAML reader, the YAML written with a model, the command line, its --help and the checks
// (settings_io.h, validate.h) all visit these declarations. `visit` calls
// field(name, member, SettingNote) for each; the names of a choice are appended to its meaning.

struct SettingNote {
  const char* meaning;  // at most 80 characters
  Range range = kAnyNumber;
  bool choosable = false;  // `nmt train` chooses it from the corpus, unless it is given
};
constexpr bool kChoosable = true;

/// The text and which of its pairs are used.
struct DataConfig {
  std::vector<std::string> train_source;
  std::vector<std::string> train_target;
  std::vector<double> train_weights;
  double sampling_temperature = 1.0;
  std::vector<std::string> train_languages;
  std::vector<std::string> train_alignments;
  std::vector<std::string> train_sentence_weights;
  std::string valid_source;
  std::string valid_target;
  std::string test_source;
  std::string test_target;
  int64_t hold_out = -1;
  std::vector<std::string> exclude;
  int64_t max_length = 100;
  double max_ratio = 9.0;
  BatchUnit batch_type = BatchUnit::kSentences;
  int64_t batch_size = 64;
  int64_t bucket_batches = 100;
  double source_subword_sampling = 0.0;
  double target_subword_sampling = 0.0;
  double case_augmentation = 0.0;
  LineUnit lines = LineUnit::kAuto;
  std::vector<std::string> sentence_starters;
  std::vector<std::string> final_marks;
  FirstLetter first_letter = FirstLetter::kAuto;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("train_source", self.train_source,
          {"Source side of the training corpus (.gz too); several: [a.de, b.de]"});
    field("train_target", self.train_target,
          {"Target side of the training corpus; several: in the same order"});
    field("train_weights", self.train_weights,
          {"Share of each corpus in an epoch, e.g. 3,1; empty uses every pair once", kPositive});
    field(
        "sampling_temperature", self.sampling_temperature,
        {"Corpus shares are proportional to pairs^(1/temperature); 1: every pair once", {1, 1000}});
    field("train_languages", self.train_languages,
          {"Target language of each corpus, as a token before the source: [de, fr]"});
    field("train_alignments", self.train_alignments,
          {"Word alignments of each corpus (Pharaoh format), which guide the attention"});
    field("train_sentence_weights", self.train_sentence_weights,
          {"Weights of the pairs of each corpus in the loss, one number per line"});
    field("valid_source", self.valid_source, {"Source side of the validation corpus"});
    field("valid_target", self.valid_target, {"Target side of the validation corpus"});
    field("test_source", self.test_source,
          {"Source side of the test set that is scored when training has ended"});
    field("test_target", self.test_target, {"Target side of the test set"});
    field("hold_out", self.hold_out,
          {"Pairs held out per missing set; -1: by corpus size if no validation set; 0: off",
           {-1, 100000}});
    field("exclude", self.exclude,
          {"Texts whose sentences training leaves out, such as test sets of another model"});
    field("max_length", self.max_length,
          {"Maximum sentence length in tokens; longer pairs are dropped", kPositive});
    field("max_ratio", self.max_ratio,
          {"Maximum length ratio of pairs of over 10 tokens; others are dropped; 0: no limit"});
    field("batch_type", self.batch_type, {"Unit of batch_size; tokens include padding"});
    field("batch_size", self.batch_size,
          {"Batch size in units of batch_type", kPositive, kChoosable});
    field("bucket_batches", self.bucket_batches,
          {"Batches sorted by length together; more: less padding, less randomness", kPositive});
    field("source_subword_sampling", self.source_subword_sampling,
          {"Source BPE-dropout rate (bpe, e.g. 0.05) or alpha (unigram, e.g. 0.2); 0: off",
           kProbability, kChoosable});
    field("target_subword_sampling", self.target_subword_sampling,
          {"As source_subword_sampling, for the target", kProbability, kChoosable});
    field("case_augmentation", self.case_augmentation,
          {"Share of pairs in ALL CAPS or Title Case, drawn in each epoch; 0: off", kProbability});
    field("lines", self.lines,
          {"What each source line holds; decides the default of --split in translation"});
    field("sentence_starters", self.sentence_starters,
          {"Source words that begin sentences in text without full stops; empty: learned"});
    field("final_marks", self.final_marks,
          {"Marks that end source sentences, most frequent first; empty: learned"});
    field("first_letter", self.first_letter, {"How source sentences begin; auto: learned"});
  }
};

/// SentencePiece vocabularies, trained when a run has none yet.
struct VocabConfig {
  std::string source_model;
  std::string target_model;
  VocabularyType type = VocabularyType::kUnigram;
  int64_t source_size = 8000;
  int64_t target_size = 8000;
  bool joint = false;
  double character_coverage = 0.9998;
  bool byte_fallback = false;
  UnicodeNormalization normalization = UnicodeNormalization::kNmtNfkc;
  TargetNormalization target_normalization = TargetNormalization::kSame;
  bool placeholders = true;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    constexpr Range kSizes{8, kLargestSetting};
    field("source_model", self.source_model,
          {"SentencePiece model of the source; empty trains one on the corpus"});
    field("target_model", self.target_model,
          {"SentencePiece model of the target; empty trains one on the corpus"});
    field("type", self.type, {"Subword model", kAnyNumber, kChoosable});
    field("source_size", self.source_size,
          {"Maximum number of pieces in the source vocabulary", kSizes, kChoosable});
    field("target_size", self.target_size,
          {"Maximum number of pieces in the target vocabulary; unused with joint", kSizes,
           kChoosable});
    field("joint", self.joint,
          {"Share one vocabulary, trained on both sides", kAnyNumber, kChoosable});
    field("character_coverage", self.character_coverage,
          {"Fraction of the corpus's characters that get a piece", {0.98, 1}});
    field("byte_fallback", self.byte_fallback,
          {"Spell characters without a piece as UTF-8 bytes instead of <unk>"});
    field("normalization", self.normalization, {"Unicode normalization"});
    field("target_normalization", self.target_normalization,
          {"Normalization of a separate target vocabulary; same: as normalization", kAnyNumber,
           kChoosable});
    field("placeholders", self.placeholders,
          {"Pieces that stand for URLs, addresses and emoji, where the text has them"});
  }
};

/// Shape of the network. Stored with every model.
struct ModelConfig {
  Architecture architecture = Architecture::kRecurrent;
  Cell cell = Cell::kGru;
  int64_t embedding_size = 256;
  int64_t hidden_size = 512;
  int64_t num_layers = 1;
  int64_t decoder_layers = 0;
  bool residual = false;
  double embedding_init_std = 1.0;
  double dropout = 0.2;
  double embedding_dropout = -1.0;
  double recurrent_dropout = -1.0;
  double output_dropout = -1.0;
  bool variational_dropout = false;
  double state_dropout = 0.0;
  double word_dropout = 0.0;
  double layer_dropout = 0.0;
  EncoderOutput encoder_output = EncoderOutput::kConcatenated;
  DecoderInit decoder_init = DecoderInit::kFinal;
  const AttentionKind* attention = &general_attention();  // never null
  int64_t heads = 4;
  double attention_temperature = 1.0;
  bool input_feeding = true;
  bool layer_norm = false;
  bool cell_layer_norm = false;
  bool coverage = false;
  bool copy = false;
  int64_t feed_forward_size = 1024;
  bool pre_norm = true;
  TiedEmbeddings tied_embeddings = TiedEmbeddings::kNone;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    constexpr Range kWidths{1, 16384};
    field("architecture", self.architecture, {"Architecture"});
    field("cell", self.cell, {"Recurrent cell"});
    field("embedding_size", self.embedding_size, {"Embedding size", kWidths, kChoosable});
    field("hidden_size", self.hidden_size,
          {"Size of the hidden states; must be even: half for each encoder direction", kWidths,
           kChoosable});
    field("num_layers", self.num_layers,
          {"Layers of the encoder and of the decoder", {1, 64}, kChoosable});
    field("decoder_layers", self.decoder_layers,
          {"Layers of the decoder; 0: as num_layers", {0, 64}});
    field("residual", self.residual,
          {"recurrent: add the input of each layer above the first to its output"});
    field("embedding_init_std", self.embedding_init_std,
          {"Initial std. deviation of embeddings; tied, Transformer: 1/sqrt(embedding_size)",
           kPositive, kChoosable});
    field("dropout", self.dropout,
          {"Dropout rate of embeddings, between layers and of the attentional state", kProbability,
           kChoosable});
    constexpr Range kRateOrUnset{-1, 1, false, false};
    field("embedding_dropout", self.embedding_dropout,
          {"recurrent: dropout rate of embeddings; -1: as dropout", kRateOrUnset});
    field("recurrent_dropout", self.recurrent_dropout,
          {"recurrent: dropout rate between layers; -1: as dropout", kRateOrUnset});
    field("output_dropout", self.output_dropout,
          {"recurrent: dropout rate of the attentional state; -1: as dropout", kRateOrUnset});
    field("variational_dropout", self.variational_dropout,
          {"recurrent: one dropout mask for all steps of a sentence (Gal & Ghahramani 2016)"});
    field("state_dropout", self.state_dropout,
          {"recurrent: dropout rate of h_{t-1} in the cells, one mask per sentence", kProbability});
    field("word_dropout", self.word_dropout, {"Dropout rate of whole tokens", kProbability});
    field("layer_dropout", self.layer_dropout,
          {"transformer: dropout rate of whole layers (LayerDrop)", kProbability});
    field("encoder_output", self.encoder_output,
          {"recurrent: how the states of both encoder directions are combined"});
    field("decoder_init", self.decoder_init,
          {"recurrent: first state of the decoder, from the encoder's final states or mean"});
    field("attention", self.attention, {"recurrent: attention"});
    field("heads", self.heads, {"Heads of multi-head attention; must divide hidden_size", kWidths});
    field("attention_temperature", self.attention_temperature,
          {"recurrent: divisor of the attention scores before the softmax", {0, 1e6, true}});
    field("input_feeding", self.input_feeding,
          {"recurrent: feed the attentional state to the next step (Luong et al. 2015)"});
    field("layer_norm", self.layer_norm,
          {"recurrent: apply layer normalization to encoder and decoder states"});
    field("cell_layer_norm", self.cell_layer_norm,
          {"recurrent: apply layer normalization inside the cells (Ba et al. 2016)", kAnyNumber,
           kChoosable});
    field("coverage", self.coverage,
          {"recurrent: give attention a coverage vector (Tu et al. 2016)"});
    field("copy", self.copy,
          {"recurrent: copy source tokens by attention (pointer-generator, See et al. 2017)"});
    field("feed_forward_size", self.feed_forward_size,
          {"transformer: size of the feed-forward layers", kWidths});
    field("pre_norm", self.pre_norm,
          {"transformer: normalize the input of each sublayer (true) or its output (false)"});
    field("tied_embeddings", self.tied_embeddings,
          {"Share target embedding and output layer; all: the source embedding too", kAnyNumber,
           kChoosable});
  }
};

/// Optimization.
struct TrainConfig {
  int64_t seed = 1;
  std::string initial_model;
  std::string source_embeddings;
  std::string target_embeddings;
  std::vector<std::string> freeze;
  const ObjectiveKind* objective = &likelihood_objective();  // never null
  std::map<std::string, ObjectiveValue> objective_values = initial_objective_values();
  OptimizerKind optimizer = OptimizerKind::kAdam;
  double learning_rate = 1e-3;
  double adam_beta1 = 0.9;
  double adam_beta2 = 0.999;
  double adam_epsilon = 1e-8;
  double momentum = 0.0;
  double weight_decay = 0.0;
  ScheduleKind schedule = ScheduleKind::kConstant;
  int64_t warmup_updates = 0;
  int64_t decay_start_epoch = 10;
  int64_t decay_epochs = 1;
  double decay_factor = 0.5;
  int64_t plateau_patience = 2;
  double min_learning_rate = 0.0;
  double clip_norm = 5.0;
  double label_smoothing = 0.0;
  double guided_alignment_weight = 0.1;
  int64_t gradient_accumulation = 1;
  GradientCompression gradient_compression = GradientCompression::kNone;
  int64_t max_epochs = 30;
  int64_t max_updates = 0;
  int64_t max_tokens = 0;
  double max_minutes = 0.0;
  std::string max_memory;
  int64_t log_every = 50;
  int64_t save_every = 0;
  double save_every_minutes = 10.0;
  int64_t keep_last = 0;
  double ema_decay = 0.0;
  int64_t threads = 0;
  TrainingEngine engine = TrainingEngine::kAuto;
  TrainingPrecision precision = TrainingPrecision::kFloat32;
  std::string device = "cpu";

  /// The value of an objective's own setting. T must be the type in its declaration.
  template <typename T>
  T objective_value(const char* name) const {
    const auto& value = objective_values.at(name);
    if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(std::get<NamedChoice>(value).index);
    } else {
      return std::get<T>(value);
    }
  }

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("seed", self.seed, {"Seed of initial weights, shuffling and dropout", {0}});
    field("initial_model", self.initial_model,
          {"Model to start from: its weights and vocabularies; empty: random weights"});
    field("source_embeddings", self.source_embeddings,
          {"Word vectors that the source embedding starts from (word2vec, fastText text)"});
    field("target_embeddings", self.target_embeddings, {"As source_embeddings, for the target"});
    field("freeze", self.freeze,
          {"Parameters that keep their initial values, by name: [encoder.*, emb_src.weight]"});
    field("objective", self.objective, {"Training objective"});
    for (const auto* kind : objective_kinds()) {
      for (const auto& setting : kind->settings) {
        std::visit(
            [&](auto& value) {
              field(setting.name, value, {setting.meaning, setting.range});
            },
            self.objective_values.at(setting.name));
      }
    }
    field("optimizer", self.optimizer, {"Optimizer"});
    // A rate that is too large is caught by the divergence guard.
    field("learning_rate", self.learning_rate,
          {"Peak learning rate; with schedule noam, its factor", {0, 1e100, true}, kChoosable});
    field("adam_beta1", self.adam_beta1, {"Decay rate of Adam's first moment", kProbability});
    field("adam_beta2", self.adam_beta2, {"Decay rate of Adam's second moment", kProbability});
    field("adam_epsilon", self.adam_epsilon, {"Epsilon of adam and adamw", kPositive});
    field("momentum", self.momentum, {"sgd: momentum", kNotNegative});
    field("weight_decay", self.weight_decay,
          {"L2 penalty (adam, sgd) or decoupled weight decay (adamw)", kNotNegative});
    field("schedule", self.schedule,
          {"Learning-rate schedule after warm-up", kAnyNumber, kChoosable});
    field("warmup_updates", self.warmup_updates,
          {"Updates of linear warm-up, for any schedule", kNotNegative, kChoosable});
    field("decay_start_epoch", self.decay_start_epoch,
          {"step: last epoch at the peak learning rate", kNotNegative});
    field("decay_epochs", self.decay_epochs, {"step: epochs between decays", kPositive});
    field("decay_factor", self.decay_factor,
          {"step, plateau: factor of each decay", {0, 1, true, true}});
    field("plateau_patience", self.plateau_patience,
          {"plateau: validations without improvement before a decay", kPositive});
    field("min_learning_rate", self.min_learning_rate,
          {"Minimum learning rate after decay", kNotNegative});
    field("clip_norm", self.clip_norm,
          {"Maximum gradient norm; 0: no clipping", kNotNegative, kChoosable});
    field("label_smoothing", self.label_smoothing,
          {"Probability mass spread over the whole vocabulary", kProbability, kChoosable});
    field("guided_alignment_weight", self.guided_alignment_weight,
          {"Weight of the attention's cross-entropy with data.train_alignments", kNotNegative});
    field("gradient_accumulation", self.gradient_accumulation,
          {"Batches whose gradients are summed for one update", kPositive});
    field("gradient_compression", self.gradient_compression,
          {"Several processes: compression of the gradients that they exchange"});
    field("max_epochs", self.max_epochs, {"Maximum epochs; 0: no limit", kNotNegative, kChoosable});
    field("max_updates", self.max_updates,
          {"Maximum updates; 0: no limit", kNotNegative, kChoosable});
    field("max_tokens", self.max_tokens,
          {"Maximum target tokens trained on, repetitions included; 0: no limit", kNotNegative});
    field("max_minutes", self.max_minutes,
          {"Maximum training time in minutes; 0: no limit", kNotNegative});
    field("max_memory", self.max_memory,
          {"Maximum memory for training, e.g. 2G; batches are split to fit; empty: no limit"});
    field("log_every", self.log_every, {"Updates between progress lines", kPositive});
    field("save_every", self.save_every,
          {"Updates between saved training states; 0: only at validations and by time",
           kNotNegative});
    field("save_every_minutes", self.save_every_minutes,
          {"Minutes between saved training states; 0: only at validations and by updates",
           kNotNegative});
    field("keep_last", self.keep_last,
          {"Checkpoints kept of the latest saved states; 0: none", kNotNegative});
    field("ema_decay", self.ema_decay,
          {"Decay of the moving average of the weights that is validated and saved; 0: off",
           kProbability, kChoosable});
    field("threads", self.threads, {"Threads; 0: one per core", {0, 1024}});
    field("engine", self.engine,
          {"Compute engine: fused (CPU), plain (LibTorch) or auto (fused where supported)"});
    field("precision", self.precision,
          {"Precision of matrix products; weights and sums stay float32; float16, tf32: CUDA only",
           kAnyNumber, kChoosable});
    field("device", self.device, {"Device: cpu, cuda or cuda:N"});
  }
};

/// Validation, early stopping and which states are kept.
struct ValidationConfig {
  int64_t interval = 0;
  int64_t batch_size = 64;
  ValidationMetric metric = ValidationMetric::kLoss;
  int64_t patience = 5;
  std::string script;
  int64_t beam_size = 1;
  double length_penalty = 1.0;
  int64_t max_sentences = 0;
  int64_t keep_best = 3;
  int64_t samples = 2;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("interval", self.interval,
          {"Updates between validations; 0: after each epoch", kNotNegative, kChoosable});
    field("batch_size", self.batch_size, {"Validation batch size in sentences", kPositive});
    field("metric", self.metric,
          {"Metric for early stopping and the best checkpoint", kAnyNumber, kChoosable});
    field("patience", self.patience,
          {"Validations without improvement before training stops; 0: never", kNotNegative,
           kChoosable});
    field("script", self.script, {"Program that rates validation translations, for metric script"});
    field("beam_size", self.beam_size, {"Beam size for validation; 1: greedy search", {1, 1000}});
    field("length_penalty", self.length_penalty, {"Length penalty for validation", {-10, 10}});
    field("max_sentences", self.max_sentences,
          {"Validation sentences translated for BLEU and chrF; 0: all", kNotNegative, kChoosable});
    field("keep_best", self.keep_best, {"Best checkpoints kept", kPositive});
    field("samples", self.samples, {"Sample translations logged per validation", kNotNegative});
  }
};

/// All settings of a run: one YAML file with one section per struct.
struct Settings {
  DataConfig data;
  VocabConfig vocab;
  ModelConfig model;
  TrainConfig train;
  ValidationConfig validation;

  /// SECTION.KEY of choosable settings that are still to be chosen from the corpus.
  std::set<std::string> automatic;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& section) {
    section("data", self.data, "Text and batches");
    section("vocab", self.vocab, "Vocabularies");
    section("model", self.model, "Network");
    section("train", self.train, "Optimization");
    section("validation", self.validation, "Validation, early stopping and checkpoints");
  }
};

}  // namespace nmt
