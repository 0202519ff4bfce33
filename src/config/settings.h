#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nmt {

// Every setting of a training run is declared here once: field, default and meaning together. The
// YAML reader, the YAML written beside a model, the command line and its --help all visit these
// declarations (settings_io.h). `visit` calls field(name, member, meaning) for each.

/// Where the text is and which pairs of it are used.
struct DataConfig {
  std::vector<std::string> train_source;
  std::vector<std::string> train_target;
  std::vector<double> train_weights;
  std::string valid_source;
  std::string valid_target;
  int64_t max_length = 100;
  double max_ratio = 9.0;
  std::string batch_type = "sentences";
  int64_t batch_size = 64;
  int64_t bucket_batches = 100;
  double source_sampling = 0.0;
  double target_sampling = 0.0;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("train_source", self.train_source,
          "Source side of the training corpus, one sentence a line; .gz too. Several corpora: "
          "[a.de, b.de].");
    field("train_target", self.train_target,
          "Target side of the training corpus, or of each in the same order.");
    field("train_weights", self.train_weights,
          "How much of an epoch comes from each of several corpora, 3,1 for example; empty: every "
          "pair once.");
    field("valid_source", self.valid_source, "Source side of the validation corpus.");
    field("valid_target", self.valid_target, "Target side of the validation corpus.");
    field("max_length", self.max_length,
          "Longest sentence used, in tokens; longer pairs are dropped and counted.");
    field("max_ratio", self.max_ratio,
          "Pairs of over 10 tokens a side on average whose longer side exceeds this many times the "
          "shorter are dropped; 0 keeps all.");
    field("batch_type", self.batch_type,
          "What batch_size counts: sentences or tokens (of the longer side, padding included).");
    field("batch_size", self.batch_size, "Size of one batch, in units of batch_type.");
    field("bucket_batches", self.bucket_batches,
          "Batches' worth of shuffled pairs that are sorted by length together; larger means less "
          "padding, less randomness.");
    field("source_sampling", self.source_sampling,
          "Other segmentations of the source in each epoch: of a bpe vocabulary the probability of "
          "leaving out a merge (BPE-dropout, 0.05), of a unigram one the power of a segmentation's "
          "probability (subword regularisation, 0.2); in [0, 1), 0: the best one always.");
    field("target_sampling", self.target_sampling, "The same of the target.");
  }
};

/// SentencePiece vocabularies that are trained when a run has none yet.
struct VocabConfig {
  std::string source_model;
  std::string target_model;
  std::string type = "unigram";
  int64_t source_size = 8000;
  int64_t target_size = 8000;
  bool joint = false;
  double character_coverage = 0.9998;
  bool byte_fallback = false;
  std::string normalization = "nmt_nfkc";

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("source_model", self.source_model,
          "Ready SentencePiece model of the source; empty: trained from the corpus.");
    field("target_model", self.target_model,
          "Ready SentencePiece model of the target; empty: trained from the corpus.");
    field("type", self.type, "Kind of subword model: unigram or bpe.");
    field("source_size", self.source_size,
          "Pieces in the source vocabulary; lowered by itself when the corpus has fewer.");
    field("target_size", self.target_size,
          "Pieces in the target vocabulary; with joint, source_size counts for both.");
    field("joint", self.joint, "One vocabulary for both languages, trained on both sides.");
    field("character_coverage", self.character_coverage,
          "Share of the corpus's characters that get a piece, from 0.98 to 1.");
    field("byte_fallback", self.byte_fallback,
          "Spell unseen characters as UTF-8 bytes rather than as unknown.");
    field("normalization", self.normalization,
          "SentencePiece's Unicode rule: nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf or identity.");
  }
};

/// Shape of the network. Stored with every model.
struct ModelConfig {
  std::string architecture = "recurrent";
  std::string cell = "gru";
  int64_t embedding_size = 256;
  int64_t hidden_size = 512;
  int64_t num_layers = 1;
  double embedding_deviation = 1.0;
  double dropout = 0.2;
  double word_dropout = 0.0;
  double layer_dropout = 0.0;
  std::string encoder_output = "concatenated";
  std::string attention = "general";
  int64_t heads = 4;
  bool input_feeding = true;
  bool layer_norm = false;
  int64_t feed_forward_size = 1024;
  bool pre_norm = true;
  std::string tied_embeddings = "none";

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("architecture", self.architecture,
          "recurrent (encoder, attention, decoder), transformer, or language_model (of the target "
          "alone).");
    field("cell", self.cell, "Recurrent cell: gru or lstm.");
    field("embedding_size", self.embedding_size, "Width of a token embedding.");
    field("hidden_size", self.hidden_size,
          "Width of the decoder state; the encoder has half of it a direction, unless summed.");
    field("num_layers", self.num_layers, "Layers of the encoder and of the decoder.");
    field("embedding_deviation", self.embedding_deviation,
          "Standard deviation of initial embeddings; large lets attention begin early, small suits "
          "little text with "
          "many rare words. One tied to the output layer starts at 1/sqrt(embedding_size).");
    field("dropout", self.dropout,
          "Probability of dropping a unit while training, in [0, 1): embeddings, between layers, "
          "attentional projection.");
    field("word_dropout", self.word_dropout,
          "Probability of dropping a whole token while training, in [0, 1).");
    field("layer_dropout", self.layer_dropout,
          "transformer: probability of leaving out a whole layer while training, in [0, 1).");
    field("encoder_output", self.encoder_output,
          "recurrent: how the two directions' states become one: concatenated or summed.");
    field("attention", self.attention,
          "recurrent: none, dot, general, additive, scaled-dot or multi-head.");
    field("heads", self.heads, "Heads of multi-head attention; they divide hidden_size.");
    field("input_feeding", self.input_feeding,
          "Feed each step's attentional state to the next step (Luong et al. 2015, 3.3).");
    field("layer_norm", self.layer_norm,
          "recurrent: normalise the encoder's and the decoder's states (Ba et al. 2016).");
    field("feed_forward_size", self.feed_forward_size,
          "transformer: width of the feed-forward layers.");
    field("pre_norm", self.pre_norm,
          "transformer: normalise what goes into each sublayer (true) or what comes out (false).");
    field("tied_embeddings", self.tied_embeddings,
          "Shared matrices: none, target (target embedding and output layer) or all (source too; "
          "needs a joint vocabulary).");
  }
};

/// Optimisation.
struct TrainConfig {
  int64_t seed = 1;
  std::string initial_model;
  std::string objective = "likelihood";
  double sampling_probability = 0.25;
  double r_drop_weight = 5.0;
  std::string risk_reward = "gleu";
  int64_t risk_samples = 5;
  double risk_likelihood = 0.1;
  std::string reverse_model;
  std::string source_lm;
  std::string target_lm;
  double dual_weight = 0.01;
  std::string optimizer = "adam";
  double learning_rate = 1e-3;
  double adam_beta1 = 0.9;
  double adam_beta2 = 0.999;
  double adam_epsilon = 1e-8;
  double momentum = 0.0;
  double weight_decay = 0.0;
  std::string schedule = "constant";
  int64_t warmup_updates = 0;
  int64_t decay_start_epoch = 10;
  int64_t decay_epochs = 1;
  double decay_factor = 0.5;
  int64_t plateau_patience = 2;
  double min_learning_rate = 0.0;
  double clip_norm = 5.0;
  double label_smoothing = 0.0;
  int64_t accumulation = 1;
  int64_t max_epochs = 30;
  int64_t max_updates = 0;
  double max_minutes = 0.0;
  int64_t log_every = 50;
  int64_t save_every = 0;
  double save_every_minutes = 10.0;
  int64_t keep_last = 0;
  double ema = 0.0;
  int64_t threads = 0;
  std::string engine = "auto";
  std::string precision = "float32";
  std::string device = "cpu";

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("seed", self.seed, "Seed of initial weights, shuffling and dropout.");
    field(
        "initial_model", self.initial_model,
        "Folder of a trained model, or a packed one, whose weights and vocabularies the run begins "
        "with; empty: weights drawn at random.");
    field("objective", self.objective,
          "What is trained for: likelihood, scheduled_sampling, r_drop, minimum_risk or dual.");
    field("sampling_probability", self.sampling_probability,
          "scheduled_sampling: how often the decoder is fed its own token, in [0, 1].");
    field("r_drop_weight", self.r_drop_weight,
          "r_drop: weight of the divergence between two passes.");
    field("risk_reward", self.risk_reward,
          "minimum_risk: what a sample is judged by: gleu, bleu or chrf.");
    field("risk_samples", self.risk_samples, "minimum_risk: samples of each sentence, from 2 on.");
    field("risk_likelihood", self.risk_likelihood,
          "minimum_risk: weight of the likelihood that is trained for beside it.");
    field("reverse_model", self.reverse_model,
          "dual: a trained model of the other direction, which a copy of is trained beside.");
    field("source_lm", self.source_lm, "dual: a language model of the source.");
    field("target_lm", self.target_lm, "dual: a language model of the target.");
    field("dual_weight", self.dual_weight,
          "dual: weight of the square by which the two directions disagree.");
    field("optimizer", self.optimizer, "adam, adamw or sgd.");
    field("learning_rate", self.learning_rate, "Peak learning rate.");
    field("adam_beta1", self.adam_beta1, "Decay of Adam's first moment.");
    field("adam_beta2", self.adam_beta2, "Decay of Adam's second moment.");
    field("adam_epsilon", self.adam_epsilon, "Adam's epsilon.");
    field("momentum", self.momentum, "Momentum of sgd.");
    field("weight_decay", self.weight_decay,
          "L2 penalty of adam and sgd; decoupled decay of adamw.");
    field("schedule", self.schedule,
          "constant, inverse_sqrt (after warm-up), noam (the same, where learning_rate is a factor "
          "of 1/sqrt(hidden_size)), step (decay_* by epoch) or plateau (decay_factor when "
          "validation stalls).");
    field("warmup_updates", self.warmup_updates, "Updates of linear warm-up from 0; any schedule.");
    field("decay_start_epoch", self.decay_start_epoch,
          "step: last epoch at the full learning rate.");
    field("decay_epochs", self.decay_epochs, "step: epochs between two decays.");
    field("decay_factor", self.decay_factor,
          "step, plateau: what the learning rate is multiplied by, in (0, 1).");
    field("plateau_patience", self.plateau_patience,
          "plateau: validations without improvement before a decay.");
    field("min_learning_rate", self.min_learning_rate, "Decay goes no lower than this.");
    field("clip_norm", self.clip_norm, "Largest global norm of the gradient; 0 does not clip.");
    field("label_smoothing", self.label_smoothing,
          "Probability spread over the whole vocabulary, in [0, 1).");
    field("accumulation", self.accumulation, "Batches whose gradients make one update.");
    field("max_epochs", self.max_epochs,
          "Stop after this many passes over the corpus; 0: no limit.");
    field("max_updates", self.max_updates, "Stop after this many updates; 0: no limit.");
    field("max_minutes", self.max_minutes, "Stop after this many minutes; 0: no limit.");
    field("log_every", self.log_every, "Updates between two progress lines.");
    field(
        "save_every", self.save_every,
        "Updates between two savings of the training state; 0: by validations and minutes alone.");
    field(
        "save_every_minutes", self.save_every_minutes,
        "Minutes between two savings of the training state; 0: by validations and updates alone.");
    field("keep_last", self.keep_last,
          "How many of the latest savings keep their weights as checkpoints too.");
    field("ema", self.ema,
          "Decay of an exponential moving average of the weights, 0.999 for example, which "
          "validation, checkpoints and the model then are; 0: none.");
    field("threads", self.threads, "Threads to compute with; 0: one for each core.");
    field("engine", self.engine,
          "What computes the gradients: plain (LibTorch, any device), fused (the same by hand, "
          "faster, "
          "CPU) or auto (fused on a CPU).");
    field("precision", self.precision,
          "Numbers that matrix products multiply: float32, bfloat16 (half the work where the "
          "processor has it) or float16 (CUDA, with loss scaling); sums, weights and updates are "
          "float32 always.");
    field("device", self.device, "cpu, cuda or cuda:N.");
  }
};

/// How a run is watched, stopped and which of its states are kept.
struct ValidationConfig {
  int64_t every = 0;
  int64_t batch_size = 64;
  std::string metric = "loss";
  int64_t patience = 5;
  int64_t beam_size = 1;
  double length_penalty = 1.0;
  int64_t max_sentences = 0;
  int64_t keep_best = 3;
  int64_t samples = 2;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& field) {
    field("every", self.every, "Updates between two validations; 0: after each epoch.");
    field("batch_size", self.batch_size, "Sentences in one validation batch.");
    field("metric", self.metric,
          "What early stopping and the best checkpoint go by: loss, perplexity, bleu or chrf.");
    field("patience", self.patience,
          "Validations without improvement before training stops; 0: never stop early.");
    field("beam_size", self.beam_size, "Beam of the validation translations; 1 is greedy.");
    field("length_penalty", self.length_penalty, "Length penalty of the validation translations.");
    field("max_sentences", self.max_sentences,
          "Validation sentences translated for BLEU and chrF; 0: all.");
    field("keep_best", self.keep_best, "Number of best checkpoints kept.");
    field("samples", self.samples, "Translations shown at every validation.");
  }
};

/// All settings of a run: one YAML file, one section for each struct.
struct Settings {
  DataConfig data;
  VocabConfig vocab;
  ModelConfig model;
  TrainConfig train;
  ValidationConfig validation;

  template <typename Self, typename Visitor>
  static void visit(Self& self, Visitor&& section) {
    section("data", self.data, "Text and batches");
    section("vocab", self.vocab, "Vocabularies");
    section("model", self.model, "The network");
    section("train", self.train, "Optimisation");
    section("validation", self.validation, "Validation, early stopping, checkpoints");
  }
};

}  // namespace nmt
