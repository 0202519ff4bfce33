#include "planning/choose_settings.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <tuple>

#include "checkpoint/stored_model.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "data/hold_out.h"
#include "errors/counted.h"
#include "kernels/bfloat16.h"
#include "planning/training_estimate.h"
#include "threads/threads.h"

namespace nmt {
namespace {

// ---- The table and the constants: docs/defaults.md explains them ----

/// Settings for a corpus of `words`; values between two rows are interpolated over log(words).
struct Recipe {
  double words;  // a side
  double hidden_size;
  double pieces;  // at most, in a vocabulary
  double dropout;
  double subword_sampling;  // BPE-dropout
  double batch_size;        // sentences
  double epochs;            // beyond these little is gained
};
constexpr Recipe kRecipes[] = {
    {7e3, 128, 1000, 0.35, 0.10, 8, 150},    // a fiftieth of Multi30k
    {3.3e5, 320, 6000, 0.45, 0.05, 64, 60},  // Multi30k
    {1e6, 512, 8000, 0.30, 0.05, 64, 30},    // Tatoeba
    {1e7, 768, 16000, 0.20, 0.02, 128, 10}, {1e8, 1024, 32000, 0.10, 0.00, 256, 4},
};

constexpr double kLearningRate = 3e-3;
constexpr double kTransformerLearningRate = 5e-4;
constexpr double kSgdLearningRate = 3.0;
constexpr int64_t kTransformerLayers = 3;
constexpr double kWarmupShare = 0.02;  // of all updates
constexpr double kMaxWarmup = 500;
constexpr double kTransformerWarmup = 1000;
constexpr double kMaxWarmupShare = 0.25;  // of all updates
constexpr double kClipNorm = 1.0;
constexpr double kLabelSmoothing = 0.1;
constexpr double kEmbeddingInitStd = 0.06;
constexpr double kAveragedShare = 0.04;  // share of all updates that the moving average spans
constexpr double kMaxAveraged = 1000;    // updates
constexpr int64_t kPatience = 10;
constexpr int64_t kMaxValidationSentences = 1000;
constexpr double kFewSentences = 200;  // whose BLEU is noise: chrF decides

constexpr double kTokensPerWord = 1.4;   // of a vocabulary of the usual size
constexpr double kPiecesPerWord = 0.65;  // for each word that occurs five times or more
constexpr double kMinPieces = 1000;
constexpr double kPiecesPerCharacter = 1.25;  // every character needs one

constexpr double kBatchWords = 20;  // a pair of a full batch; of longer ones there are fewer
constexpr int64_t kMinBatch = 8;

// With little time: smaller networks, vocabularies and batches, less noise, larger steps.
constexpr double kTrainingShare = 0.9;  // of the time; the rest is a margin
constexpr double kMinEpochs = 0.4;      // of a recipe's epochs; below this, a smaller network
constexpr double kMinHidden = 128;
constexpr double kVocabularyEpochs = 0.05;  // of a recipe's epochs; below this, fewer pieces
constexpr double kMinVocabulary = 0.5;      // of the usual pieces
constexpr double kFewUpdates = 40000;       // with fewer, smaller batches
constexpr double kMinSmallBatch = 16;
constexpr double kFewEpochs = 0.1;  // of a recipe's epochs; below this, the higher learning rate
constexpr double kHighLearningRate = 5e-3;

constexpr double kOftenEpochs = 12;  // validate more than once an epoch
constexpr double kManyEpochs = 80;   // validate less than once an epoch
constexpr double kValidations = 40;
constexpr double kMinTimedValidations = 5;
constexpr double kValidationShare = 0.1;
constexpr double kValidationCost = 0.6;  // of a sentence, to that of training on one
constexpr int64_t kMinInterval = 50;

// ---- ----

constexpr int64_t kHiddenStep = 32;

double between(double a, double b, double share) { return a + (b - a) * share; }

Recipe recipe_for(double words) {
  if (words <= kRecipes[0].words) return kRecipes[0];
  const auto* above = std::find_if(std::begin(kRecipes), std::end(kRecipes),
                                   [&](const Recipe& recipe) { return recipe.words >= words; });
  if (above == std::end(kRecipes)) return *std::prev(above);
  const auto& a = *std::prev(above);
  const auto& b = *above;
  const double share = std::log(words / a.words) / std::log(b.words / a.words);
  return {words,
          between(a.hidden_size, b.hidden_size, share),
          between(a.pieces, b.pieces, share),
          between(a.dropout, b.dropout, share),
          between(a.subword_sampling, b.subword_sampling, share),
          between(a.batch_size, b.batch_size, share),
          between(a.epochs, b.epochs, share)};
}

int64_t rounded_to(double value, int64_t step, int64_t least) {
  return std::max<int64_t>(std::llround(value / static_cast<double>(step)) * step, least);
}

double with_digits(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  return std::round(value * scale) / scale;  // the double nearest to the decimal number
}

bool is_without_spaces(Script script) {
  return script == Script::kHan || script == Script::kThai || script == Script::kSoutheast;
}

/// Whether nmt_nfkc changes characters that ordinary text of the script has: ，？（） become ASCII,
/// the Thai and Lao vowel am two characters, and what joins Persian words and divides Khmer ones a
/// space. In text of other scripts, SideProfile::non_joiners tells.
bool is_spoiled_by_nfkc(Script script) {
  return is_without_spaces(script) || script == Script::kArabic;
}

/// Chooses one setting after another; each may depend on those before it.
class Chooser {
 public:
  Chooser(const Settings& given, const CorpusProfile& corpus, const TrainingMachine& machine)
      : settings_(given), corpus_(corpus), machine_(machine), recipe_(recipe_for(corpus.words())) {}

  SettingsChoice choose() {
    choose_vocabularies();
    choose_batches(recipe_.batch_size);
    choose_limits();
    choose_network();
    choose_precision_and_size();
    choose_batches(batch_of_many_updates());
    choose_noise();
    choose_optimization();
    choose_validation();
    SettingsChoice choice{settings_, reasons()};
    choice.settings.automatic.clear();
    if (fits_updates()) choice.settings.automatic = {kMaxUpdates};
    return choice;
  }

 private:
  static constexpr char kMaxUpdates[] = "train.max_updates";
  static constexpr char kTargetNormalization[] = "vocab.target_normalization";

  bool is_automatic(const std::string& name) const { return settings_.automatic.count(name) > 0; }

  /// Sets what was not given, unless nothing reads it.
  template <typename T, typename Value>
  void set(const char* name, T& member, const Value& value) {
    const bool chosen = is_automatic(name) && reason_without_effect(settings_, name).empty();
    if (chosen) member = static_cast<T>(value);
  }

  bool has_ready_vocabulary() const {
    return !settings_.vocab.source_model.empty() || !settings_.vocab.target_model.empty();
  }

  void choose_vocabularies() {
    auto& vocab = settings_.vocab;
    const bool ready = has_ready_vocabulary();
    auto scripts = corpus_.target.scripts;
    scripts.insert(corpus_.target.script);
    const bool spoiled = corpus_.target.non_joiners ||
                         std::any_of(scripts.begin(), scripts.end(), is_spoiled_by_nfkc);
    const bool same =
        corpus_.source.script == corpus_.target.script && !(spoiled && scripts.size() > 1);
    const bool one = same || (!is_automatic("model.tied_embeddings") &&
                              settings_.model.tied_embeddings == TiedEmbeddings::kAll);
    set("vocab.joint", vocab.joint, one && !ready);
    set("vocab.type", vocab.type, VocabularyType::kBpe);
    const auto& source = corpus_.source;
    const auto& target = corpus_.target;
    const bool joint = vocab.joint;
    // SentencePiece has no rule of its own for NFC, between nmt_nfkc and identity.
    const bool as_written =
        !joint && vocab.normalization == UnicodeNormalization::kNmtNfkc && spoiled;
    set(kTargetNormalization, vocab.target_normalization,
        as_written ? TargetNormalization::kIdentity : TargetNormalization::kSame);
    set("vocab.source_size", vocab.source_size,
        joint ? pieces(corpus_.frequent_words, corpus_.characters) : pieces_of(source, target));
    set("vocab.target_size", vocab.target_size,
        joint ? vocab.source_size : pieces_of(target, source));
  }

  /// A side without spaces has about as many frequent words as the other.
  int64_t pieces_of(const SideProfile& side, const SideProfile& other) const {
    const auto& counted = is_without_spaces(side.script) ? other : side;
    return pieces(counted.frequent_words, side.characters);
  }

  int64_t pieces(int64_t frequent_words, int64_t characters) const {
    const bool words_are_unknown =
        is_without_spaces(corpus_.source.script) && is_without_spaces(corpus_.target.script);
    const double wanted =
        words_are_unknown ? recipe_.pieces : kPiecesPerWord * static_cast<double>(frequent_words);
    const double most = std::max(recipe_.pieces, kMinPieces);
    const double limited =
        std::max(vocabulary_share_ * std::clamp(wanted, kMinPieces, most), kMinPieces);
    const double spelled = kPiecesPerCharacter * static_cast<double>(characters);
    return rounded_to(std::max(limited, spelled + kMinPieces / 2), 100, 100);
  }

  void choose_batches(double pairs) {
    auto& data = settings_.data;
    const bool by_tokens = data.batch_type == BatchUnit::kTokens;
    const double long_pairs = std::min(kBatchWords / std::max(corpus_.words_per_pair(), 1.0), 1.0);
    const double sentences = pairs * long_pairs;
    const double tokens = pairs * kBatchWords;
    set("data.batch_size", data.batch_size,
        by_tokens ? rounded_to(tokens, 100, 100) : rounded_to(sentences, 8, kMinBatch));
  }

  void choose_network() {
    auto& model = settings_.model;
    const bool transformer = model.architecture == Architecture::kTransformer;
    const bool tied =
        !is_automatic("model.tied_embeddings") && model.tied_embeddings != TiedEmbeddings::kNone;
    set("model.num_layers", model.num_layers, transformer ? kTransformerLayers : int64_t{1});
    // Without the fused engine, such cells run step by step.
    set("model.cell_layer_norm", model.cell_layer_norm,
        !transformer && settings_.train.device == "cpu" &&
            settings_.train.engine != TrainingEngine::kPlain);
    const bool given_embedding = !is_automatic("model.embedding_size");
    set("model.hidden_size", model.hidden_size,
        given_embedding && (tied || transformer) ? model.embedding_size
                                                 : hidden_of(recipe_.hidden_size));
    match_embeddings();
  }

  int64_t hidden_of(double hidden) const {
    const auto& model = settings_.model;
    const int64_t step = has_heads(model) ? std::lcm(kHiddenStep, model.heads) : kHiddenStep;
    return rounded_to(hidden, step, step);
  }

  void match_embeddings() {
    auto& model = settings_.model;
    set("model.embedding_size", model.embedding_size, model.hidden_size);
    set("model.tied_embeddings", model.tied_embeddings,
        model.embedding_size != model.hidden_size ? TiedEmbeddings::kNone
        : has_one_vocabulary(settings_.vocab)     ? TiedEmbeddings::kAll
                                                  : TiedEmbeddings::kTarget);
    set("model.embedding_init_std", model.embedding_init_std, kEmbeddingInitStd);
  }

  bool is_timed() const { return settings_.train.max_minutes > 0; }

  /// Whether a TimePlan (train/time_plan.h) will decide about the number of updates.
  bool fits_updates() const { return is_timed() && is_automatic(kMaxUpdates); }

  /// Epochs that fit in train.max_minutes.
  double affordable_epochs() const {
    const auto& vocab = settings_.vocab;
    const Seq2SeqOptions options{settings_.model, vocab.source_size,
                                 vocab.joint ? vocab.source_size : vocab.target_size};
    TrainingWork work;
    work.source_tokens = kTokensPerWord * corpus_.source.words;
    work.target_tokens = kTokensPerWord * corpus_.target.words;
    work.threads = machine_.threads;
    work.fused = settings_.train.engine != TrainingEngine::kPlain;
    work.train = settings_.train;
    const double epoch = estimate_epoch(options, work, machine_.products_per_second);
    return kTrainingShare * settings_.train.max_minutes * 60 / std::max(epoch, 1e-3);
  }

  void choose_precision_and_size() {
    auto& model = settings_.model;
    set("train.precision", settings_.train.precision, TrainingPrecision::kFloat32);
    if (!is_timed() || settings_.train.device != "cpu") return;  // a GPU's speed is not known yet
    if (machine_.bfloat16 && affordable_epochs() < epochs_) {
      set("train.precision", settings_.train.precision, TrainingPrecision::kBfloat16);
    }
    const bool chooses_size =
        is_automatic("model.hidden_size") && is_automatic("model.embedding_size");
    const int64_t step = hidden_of(1);
    while (chooses_size && affordable_epochs() < kMinEpochs * epochs_ &&
           static_cast<double>(model.hidden_size - step) >= kMinHidden) {
      model.hidden_size -= step;
      match_embeddings();
    }
    const double limit = epochs_;
    epochs_ = std::min(limit, affordable_epochs());
    if (learned() < kVocabularyEpochs) {
      // The output layer takes most of the time of a small network.
      vocabulary_share_ = std::max(std::sqrt(learned() / kVocabularyEpochs), kMinVocabulary);
      choose_vocabularies();
      epochs_ = std::min(limit, affordable_epochs());
    }
  }

  /// The epochs of the run as a share of the recipe's.
  double learned() const { return std::min(epochs_ / recipe_.epochs, 1.0); }

  /// Many small steps teach more than few large ones; on a GPU they would also take longer.
  double batch_of_many_updates() const {
    const double most = recipe_.batch_size;
    const bool has_end = fits_updates() || (has_known_end() && settings_.train.max_updates == 0);
    if (!has_end || settings_.train.device != "cpu") return most;
    const double share = epochs_ * updates_per_epoch() / kFewUpdates;
    return std::clamp(most * share, std::min(kMinSmallBatch, most), most);
  }

  void choose_noise() {
    set("model.dropout", settings_.model.dropout,
        with_digits(recipe_.dropout * std::sqrt(learned()), 2));
    // A ready vocabulary may have no other segmentations.
    const bool fixed = has_ready_vocabulary() || settings_.vocab.type != VocabularyType::kBpe;
    const double sampling = fixed ? 0.0 : with_digits(recipe_.subword_sampling * learned(), 2);
    set("data.source_subword_sampling", settings_.data.source_subword_sampling, sampling);
    set("data.target_subword_sampling", settings_.data.target_subword_sampling, sampling);
  }

  double pairs_per_batch() const {
    const auto& data = settings_.data;
    const auto size = static_cast<double>(data.batch_size);
    if (data.batch_type == BatchUnit::kSentences) return size;
    return std::max(size / (kTokensPerWord * std::max(corpus_.words_per_pair(), 1.0)), 1.0);
  }

  double updates_per_epoch() const {
    const double batches = static_cast<double>(corpus_.pairs) / pairs_per_batch();
    return std::max(batches / static_cast<double>(settings_.train.gradient_accumulation), 1.0);
  }

  double target_tokens_per_epoch() const {
    return std::max(kTokensPerWord * corpus_.target.words + static_cast<double>(corpus_.pairs),
                    1.0);
  }

  void choose_limits() {
    auto& train = settings_.train;
    set("train.max_epochs", train.max_epochs,
        has_other_limit() ? 0 : static_cast<int64_t>(std::llround(recipe_.epochs)));
    set(kMaxUpdates, train.max_updates, 0);
    const auto consider = [this](double epochs) {
      if (epochs > 0) epochs_ = epochs_ > 0 ? std::min(epochs_, epochs) : epochs;
    };
    consider(static_cast<double>(train.max_epochs));
    consider(static_cast<double>(train.max_updates) / updates_per_epoch());
    consider(static_cast<double>(train.max_tokens) / target_tokens_per_epoch());
    if (epochs_ == 0) epochs_ = recipe_.epochs;
  }

  /// Whether updates or tokens were limited.
  bool has_other_limit() const {
    const auto& train = settings_.train;
    return train.max_tokens > 0 || (!is_automatic(kMaxUpdates) && train.max_updates > 0);
  }

  double learning_rate() const {
    const auto& [model, train] = std::tie(settings_.model, settings_.train);
    const double rate = train.optimizer == OptimizerKind::kSgd ? kSgdLearningRate
                        : model.architecture == Architecture::kTransformer
                            ? kTransformerLearningRate
                        : learned() < kFewEpochs ? kHighLearningRate
                                                 : kLearningRate;
    if (train.schedule != ScheduleKind::kNoam) return rate;
    // There it is a factor: the peak is rate/√(H w) (train/steps/schedule.h).
    const auto warmup = std::max<int64_t>(train.warmup_updates, 1);
    return with_digits(rate * std::sqrt(static_cast<double>(model.hidden_size * warmup)), 4);
  }

  void choose_optimization() {
    auto& train = settings_.train;
    const bool transformer = settings_.model.architecture == Architecture::kTransformer;
    const double updates = epochs_ * updates_per_epoch();
    set("train.schedule", train.schedule,
        has_known_end() ? ScheduleKind::kLinear : ScheduleKind::kPlateau);
    set("train.warmup_updates", train.warmup_updates,
        std::min(
            std::min(kWarmupShare * updates, kMaxWarmup) + (transformer ? kTransformerWarmup : 0),
            kMaxWarmupShare * updates));
    set("train.learning_rate", train.learning_rate, learning_rate());
    set("train.clip_norm", train.clip_norm, kClipNorm);
    set("train.label_smoothing", train.label_smoothing, kLabelSmoothing);
    const double averaged = std::clamp(kAveragedShare * updates, 10.0, kMaxAveraged);
    set("train.ema_decay", train.ema_decay, with_digits(1.0 - 1.0 / averaged, 3));
  }

  /// Whether training has a given limit, or no validation set that could show when it stops
  /// improving.
  bool has_known_end() const {
    const auto& train = settings_.train;
    return is_timed() || !has_validation() || has_other_limit() ||
           (!is_automatic("train.max_epochs") && train.max_epochs > 0);
  }

  /// Whether a validation set is given or will be held out.
  bool has_validation() const {
    const auto& data = settings_.data;
    return !data.valid_source.empty() || data.hold_out > 0 ||
           (data.hold_out < 0 && held_out_size(corpus_.pairs) > 0);
  }

  void choose_validation() {
    auto& validation = settings_.validation;
    set("validation.max_sentences", validation.max_sentences, kMaxValidationSentences);
    const bool is_few = validated_sentences() < kFewSentences;
    set("validation.metric", validation.metric,
        is_few ? ValidationMetric::kChrf : ValidationMetric::kBleu);
    set("validation.patience", validation.patience, has_known_end() ? 0 : kPatience);
    const double most = most_validations();
    const bool by_epochs = kOftenEpochs <= epochs_ && epochs_ <= most;
    const double updates = epochs_ * updates_per_epoch();
    set("validation.interval", validation.interval,
        by_epochs ? 0 : rounded_to(updates / std::min(most, kValidations), 10, kMinInterval));
  }

  /// With a time limit, as many as take a tenth of the training time.
  double most_validations() const {
    if (!is_timed()) return kManyEpochs;
    const double trained = epochs_ * static_cast<double>(corpus_.pairs);
    return std::clamp(kValidationShare * trained / (kValidationCost * validated_sentences()),
                      kMinTimedValidations, kManyEpochs);
  }

  /// Of a validation; of a given validation set, whose size is not known, at most.
  double validated_sentences() const {
    const auto& data = settings_.data;
    const int64_t most = settings_.validation.max_sentences;  // 0: all
    const int64_t held_out = data.hold_out < 0 ? held_out_size(corpus_.pairs) : data.hold_out;
    if (!data.valid_source.empty() || held_out == 0) {
      return static_cast<double>(most > 0 ? most : kMaxValidationSentences);
    }
    return static_cast<double>(most > 0 ? std::min(most, held_out) : held_out);
  }

  /// "model.hidden_size 320, …" of the choices that matter most.
  std::string chosen_list() const {
    static constexpr const char* kShown[] = {
        "vocab.type",        "vocab.joint",     "vocab.source_size",
        "vocab.target_size", "data.batch_size", "model.hidden_size",
        "model.dropout",     "train.precision", kTargetNormalization};
    std::string list;
    auto chosen = settings_;
    chosen.automatic.clear();  // shows values instead of `auto`
    for (const auto& setting : describe_settings(chosen)) {
      const auto name = setting.name();
      const bool shown = std::find(std::begin(kShown), std::end(kShown), name) != std::end(kShown);
      const bool unused = (name == "vocab.target_size" && settings_.vocab.joint) ||
                          !reason_without_effect(settings_, name).empty();
      const bool usual = (name == "train.precision" && setting.value == "float32") ||
                         (name == kTargetNormalization && setting.value == "same");
      if (!shown || unused || usual || !is_automatic(name)) continue;
      list += (list.empty() ? "" : "  ") + setting.key + " " + setting.value;
      if (name == kTargetNormalization) list += " (nmt_nfkc would change the target's characters)";
    }
    return list;
  }

  std::vector<std::string> reasons() const {
    if (settings_.automatic.empty()) return {};
    const auto script = [](const SideProfile& side) {
      std::string names = script_name(side.script);
      for (const auto other : side.scripts) {
        if (other != side.script) names += std::string(" and ") + script_name(other);
      }
      return names;
    };
    const auto corpus = fmt::format(
        "chosen for {} of {:.1f} words, {} frequent words, {} to {} script:  {}",
        counted(corpus_.pairs, "pair"), corpus_.words_per_pair(), corpus_.frequent_words,
        script(corpus_.source), script(corpus_.target), chosen_list());
    const auto& train = settings_.train;
    const auto until = is_timed()        ? fmt::format("{} minute{} with {}", train.max_minutes,
                                                train.max_minutes == 1 ? "" : "s",
                                                       counted(machine_.threads, "thread"))
                       : has_known_end() ? std::string("a known number of updates")
                                         : std::string("training until it stops improving");
    auto time = fmt::format("chosen for {}:  learning_rate {}  schedule {}", until,
                            train.learning_rate, choice_name(train.schedule));
    // Before the corpora are prepared, numbers of updates and tokens are only estimates.
    if (!is_timed() && !has_other_limit()) {
      time += fmt::format("  epochs at most {:.0f}", std::max(epochs_, 1.0));
    }
    return {corpus, time};
  }

  Settings settings_;
  const CorpusProfile& corpus_;
  const TrainingMachine& machine_;
  const Recipe recipe_;
  double vocabulary_share_ = 1;  // of the pieces that a run with enough time would have
  double epochs_ = 0;            // epochs of the run, if it does not stop early
};

/// Rounds the measured speed to a power of two, so that repeated runs on a machine choose the same.
double coarse(double speed) { return std::exp2(std::round(std::log2(std::max(speed, 1.0)))); }

}  // namespace

SettingsChoice choose_settings(const Settings& given, const CorpusProfile& corpus,
                               const TrainingMachine& machine) {
  return Chooser(given, corpus, machine).choose();
}

SettingsChoice choose_settings(const Settings& given, int processes) {
  if (given.automatic.empty()) return {given, {}};
  auto settings = given;
  if (!given.train.initial_model.empty()) {
    const auto initial = read_model(given.train.initial_model).settings;
    adopt_automatic(settings, initial, "model");
    adopt_automatic(settings, initial, "vocab");
  }
  if (!given.train.initial_model.empty() ||
      given.model.architecture == Architecture::kLanguageModel) {
    adopt_automatic(settings, Settings());
    return {settings, {}};
  }
  const auto& data = given.data;
  TrainingMachine machine;
  machine.threads = number_of_threads(given.train.threads) * processes;
  machine.products_per_second = coarse(measure_products_per_second());
  machine.bfloat16 = has_bfloat16_products();
  const auto corpus = profile_corpora(data.train_source, data.train_target, data.max_length);
  return choose_settings(settings, corpus, machine);
}

}  // namespace nmt
