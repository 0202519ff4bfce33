#include "config/validate.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <type_traits>
#include <vector>

#include "config/layers.h"
#include "numbers/byte_size.h"
#include "numbers/parse.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

void require(bool holds, const std::string& setting, const std::string& problem) {
  if (!holds) throw SettingError(setting, problem);
}

template <typename Number>
void require_in_range(const std::string& name, Number value, const Range& range) {
  require(range.contains(static_cast<double>(value)), name,
          shortest_text(value) + " is out of range; it must be " + range.text());
}

/// Checks every number against its declared range.
template <typename Section>
void check_ranges(const std::string& section, const Section& values) {
  Section::visit(values, [&](const char* key, const auto& value, const SettingNote& note) {
    using Value = std::decay_t<decltype(value)>;
    const auto name = section + "." + key;
    if constexpr (std::is_same_v<Value, int64_t> || std::is_same_v<Value, double>) {
      require_in_range(name, value, note.range);
    } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
      for (const double element : value) require_in_range(name, element, note.range);
    }
  });
}

void validate_data(const DataConfig& data) {
  const auto count = [](const auto& list) { return std::to_string(list.size()); };
  const auto corpora = data.train_source.size();
  require(corpora == data.train_target.size(), "data.train_source and data.train_target",
          count(data.train_source) + " and " + count(data.train_target) +
              " files; each corpus needs one of each");
  require(data.train_weights.empty() || data.train_weights.size() == corpora, "data.train_weights",
          count(data.train_weights) + " weights for " + count(data.train_source) +
              (corpora == 1 ? " corpus" : " corpora") + "; give one for each, or none");
  require(data.train_languages.empty() || data.train_languages.size() == corpora,
          "data.train_languages",
          count(data.train_languages) + " languages for " + count(data.train_source) +
              " corpora; give the target language of each");
  require(data.sampling_temperature == 1 || (data.train_weights.empty() && corpora > 1),
          "data.sampling_temperature",
          std::string("gives several corpora their shares; ") +
              (data.train_weights.empty() ? "set it to 1" : "unset data.train_weights"));
  if (data.max_ratio != 0) require_in_range("data.max_ratio", data.max_ratio, {1});
  for (const auto& mark : data.final_marks) {
    const auto codes = to_code_points(mark);
    require(codes.size() == 1 && is_punctuation(codes.front()), "data.final_marks",
            "'" + mark + "' is not a punctuation mark");
  }
}

void validate_hidden_size(const ModelConfig& model) {
  require(model.hidden_size % 2 == 0, "model.hidden_size",
          std::to_string(model.hidden_size) +
              " is odd; it must be even: each direction of the encoder has half of it");
}

bool has_second_layer(const ModelConfig& model) {
  return model.num_layers > 1 || num_decoder_layers(model) > 1;
}

bool attends(const ModelConfig& model) {
  return model.architecture == Architecture::kRecurrent && model.attention != &none_attention();
}

/// Validates the settings that name files with one line per training pair.
void validate_pair_files(const Settings& settings) {
  const auto& corpora = settings.data.train_source;
  const auto check = [&](const char* name, const std::vector<std::string>& files) {
    if (files.empty()) return;
    require(files.size() == corpora.size(), name,
            std::to_string(files.size()) + " files for " + std::to_string(corpora.size()) +
                " corpora; set one for each, in the same order");
    std::vector<std::string> objectives;  // that use it
    for (const auto* kind : objective_kinds()) {
      if (kind->of_pairs) objectives.push_back(kind->name);
    }
    const auto& objective = *settings.train.objective;
    require(objective.of_pairs, name,
            std::string("train.objective ") + objective.name +
                " does not use it; unset it, or use the objective " + list_of(objectives, " or "));
  };
  const auto& alignments = settings.data.train_alignments;
  check("data.train_sentence_weights", settings.data.train_sentence_weights);
  check("data.train_alignments", alignments);
  require(alignments.empty() || attends(settings.model), "data.train_alignments",
          "only a recurrent model with attention can be guided; unset it, or set "
          "model.architecture to recurrent and model.attention to another than none");
  const double weight = settings.train.guided_alignment_weight;
  require(!alignments.empty() || weight == TrainConfig().guided_alignment_weight,
          "train.guided_alignment_weight", "has no effect without data.train_alignments; set both");
}

void validate_objective(const TrainConfig& train) {
  for (const auto& setting : train.objective->settings) {
    require(!setting.required || !train.objective_value<std::string>(setting.name).empty(),
            std::string("train.") + setting.name,
            std::string("required by train.objective ") + train.objective->name +
                "; see docs/family.md");
  }
}

void validate_schedule(const Settings& settings) {
  const auto& train = settings.train;
  // The time limit will determine the number of updates.
  const bool timed = train.max_minutes > 0 && settings.automatic.count("train.max_updates") > 0;
  require(train.schedule != ScheduleKind::kLinear || timed || train.max_updates > 0 ||
              train.max_epochs > 0 || train.max_tokens > 0,
          "train.schedule",
          "linear needs to know the last update; set train.max_epochs, train.max_updates or "
          "train.max_tokens");
}

void validate_memory(const TrainConfig& train) {
  if (train.max_memory.empty()) return;
  require(parse_byte_size(train.max_memory).value_or(0) != 0, "train.max_memory",
          "'" + train.max_memory + "' is not a size; use e.g. 2G or 800M");
  require(train.device == "cpu", "train.max_memory",
          "memory is estimated for CPUs only; unset it, or use train.device cpu");
  require(train.objective != &minimum_risk_objective() && train.objective != &dual_objective(),
          "train.max_memory",
          std::string("memory is not estimated for train.objective ") + train.objective->name +
              "; unset it");
}

void validate_language_model(const Settings& settings) {
  if (settings.model.architecture != Architecture::kLanguageModel) return;
  require(settings.data.train_languages.empty(), "data.train_languages",
          "a language model does not translate; leave it out");
  require(settings.data.test_source.empty(), "data.test_source",
          "a language model does not translate; leave it out and use nmt lm score");
  const auto metric = settings.validation.metric;
  require(metric == ValidationMetric::kLoss || metric == ValidationMetric::kPerplexity,
          "validation.metric",
          choice_name(metric) +
              " rates translations, which a language model does not make; set it to loss or "
              "perplexity");
}

void validate_coverage(const ModelConfig& model) {
  if (!model.coverage) return;
  require(model.architecture == Architecture::kRecurrent, "model.coverage",
          "only a recurrent model has it; set it to false, or model.architecture to recurrent");
  std::vector<std::string> kinds;
  for (const auto* kind : attention_kinds()) {
    if (kind->takes_coverage) kinds.emplace_back(kind->name);
  }
  require(model.attention->takes_coverage, "model.coverage",
          std::string("not available with model.attention ") + model.attention->name +
              "; set it to false, or model.attention to one of " + list_of(kinds));
}

void validate_copy(const Settings& settings) {
  const ModelConfig& model = settings.model;
  if (!model.copy) return;
  require(model.architecture == Architecture::kRecurrent, "model.copy",
          "only a recurrent model copies; set it to false, or model.architecture to recurrent");
  require(model.attention != &none_attention() && model.attention->is_softmax, "model.copy",
          std::string("model.attention ") + model.attention->name +
              " has no weights that sum to 1; set copy to false, or another attention");
  require(has_one_vocabulary(settings.vocab), "model.copy",
          "needs one vocabulary for both languages; set vocab.joint to true, or copy to false");
}

void validate_residual(const ModelConfig& model) {
  if (!model.residual) return;
  require(model.architecture != Architecture::kTransformer, "model.residual",
          "a Transformer has residual connections of its own; set it to false");
  require(has_second_layer(model), "model.residual",
          "adds nothing where no side has a second layer; set model.num_layers to 2 or more, or "
          "residual to false");
}

void validate_dropout(const ModelConfig& model) {
  const bool is_transformer = model.architecture == Architecture::kTransformer;
  const auto check = [&](const char* name, double rate) {
    if (rate == -1) return;
    require_in_range(name, rate, kProbability);
    require(!is_transformer, name,
            "a Transformer has one rate for all positions; set model.dropout, and this to -1");
  };
  check("model.embedding_dropout", model.embedding_dropout);
  check("model.recurrent_dropout", model.recurrent_dropout);
  check("model.output_dropout", model.output_dropout);
  require(model.recurrent_dropout <= 0 || has_second_layer(model), "model.recurrent_dropout",
          "acts between layers, and no side has a second one; set model.num_layers to 2 or more, "
          "or recurrent_dropout to -1");
  require(!is_transformer || !model.variational_dropout, "model.variational_dropout",
          "has no effect on a Transformer; set it to false");
  require(!is_transformer || model.state_dropout <= 0, "model.state_dropout",
          "a Transformer has no recurrent states; set it to 0");
}

void validate_tied_embeddings(const Settings& settings) {
  const ModelConfig& model = settings.model;
  if (model.tied_embeddings == TiedEmbeddings::kNone) return;
  require(model.embedding_size == model.hidden_size, "model.tied_embeddings",
          choice_name(model.tied_embeddings) +
              " needs model.embedding_size == model.hidden_size (" +
              std::to_string(model.embedding_size) + " and " + std::to_string(model.hidden_size) +
              "); set them equal, or tied_embeddings to none");
  require(model.tied_embeddings != TiedEmbeddings::kAll || has_one_vocabulary(settings.vocab),
          "model.tied_embeddings",
          "all needs one vocabulary for both languages; set vocab.joint to true, or "
          "tied_embeddings to target");
}

void validate_script(const ValidationConfig& validation) {
  const bool rates = validation.metric == ValidationMetric::kScript;
  require(!rates || !validation.script.empty(), "validation.metric",
          "script needs a program; set validation.script");
  require(rates || validation.script.empty(), "validation.script",
          "has no effect without validation.metric script; set both");
}

std::string vocabulary_without_effect(const VocabConfig& vocab, const std::string& name,
                                      const std::set<std::string>& automatic) {
  if (name == "vocab.source_size" && !vocab.source_model.empty()) {
    return "vocab.source_model is a ready vocabulary";
  }
  const bool of_target = name == "vocab.target_size" || name == "vocab.target_normalization";
  if (of_target && !vocab.target_model.empty()) {
    return "vocab.target_model is a ready vocabulary";
  }
  const bool joint = vocab.joint && automatic.count("vocab.joint") == 0;
  if (name == "vocab.target_size" && joint && vocab.target_size != vocab.source_size) {
    return "with vocab.joint, vocab.source_size is the size of the one vocabulary";
  }
  if (name == "vocab.target_normalization" && joint &&
      vocab.target_normalization != TargetNormalization::kSame) {
    return "vocab.normalization is that of the one vocabulary";
  }
  static const std::set<std::string> of_training = {"vocab.type", "vocab.character_coverage",
                                                    "vocab.byte_fallback", "vocab.normalization",
                                                    "vocab.placeholders"};
  const bool ready = !vocab.source_model.empty() && (joint || !vocab.target_model.empty());
  return ready && of_training.count(name) > 0 ? "no vocabulary is trained" : "";
}

/// "only CHOICE a and b read it" if the chosen one does not; otherwise "". `readers`: for each
/// setting that only some choices read, those choices.
template <typename Choice>
std::string unread(const std::string& setting, const char* choice, Choice chosen,
                   const std::map<std::string, std::vector<Choice>>& readers) {
  const auto found = readers.find(setting);
  if (found == readers.end()) return "";
  const auto& all = found->second;
  if (std::find(all.begin(), all.end(), chosen) != all.end()) return "";
  std::string names;
  for (size_t i = 0; i < all.size(); ++i) {
    const auto* sign = i == 0 ? " " : i + 1 < all.size() ? ", " : " and ";
    names += sign + choice_name(all[i]);
  }
  return std::string("only ") + choice + names + (all.size() == 1 ? " reads it" : " read it");
}

std::string optimization_without_effect(const TrainConfig& train, const std::string& name,
                                        const std::set<std::string>& automatic) {
  using Optimizer = OptimizerKind;
  using Schedule = ScheduleKind;
  const auto reason =
      unread<Optimizer>(name, "train.optimizer", train.optimizer,
                        {{"train.momentum", {Optimizer::kSgd}},
                         {"train.adam_beta1", {Optimizer::kAdam, Optimizer::kAdamW}},
                         {"train.adam_beta2", {Optimizer::kAdam, Optimizer::kAdamW}},
                         {"train.adam_epsilon", {Optimizer::kAdam, Optimizer::kAdamW}}});
  if (!reason.empty() || automatic.count("train.schedule") > 0) return reason;
  return unread<Schedule>(name, "train.schedule", train.schedule,
                          {{"train.decay_start_epoch", {Schedule::kStep}},
                           {"train.decay_epochs", {Schedule::kStep}},
                           {"train.decay_factor", {Schedule::kStep, Schedule::kPlateau}},
                           {"train.plateau_patience", {Schedule::kPlateau}},
                           {"train.min_learning_rate",
                            {Schedule::kLinear, Schedule::kInverseSqrt, Schedule::kNoam,
                             Schedule::kStep, Schedule::kPlateau}}});
}

/// Whether all embeddings are initialized with standard deviation 1/√E, as tied ones and a
/// Transformer's are (nn/seq2seq.cpp), so that embedding_init_std has no effect.
bool ignores_init_std(const ModelConfig& model) {
  switch (model.architecture) {
    case Architecture::kRecurrent:
      return model.tied_embeddings == TiedEmbeddings::kAll;
    case Architecture::kTransformer:
      return true;
    case Architecture::kLanguageModel:
      return model.tied_embeddings != TiedEmbeddings::kNone;
  }
  return false;
}

std::string model_without_effect(const ModelConfig& model, const std::string& name) {
  using Kind = Architecture;
  if (name == "data.source_subword_sampling" && model.architecture == Kind::kLanguageModel) {
    return "a language model samples by data.target_subword_sampling";
  }
  if (name == "model.heads" && !has_heads(model)) return "the model has no attention with heads";
  if (name == "model.embedding_init_std" && ignores_init_std(model)) {
    return "these embeddings start at 1/sqrt(embedding_size)";
  }
  return unread<Kind>(name, "model.architecture", model.architecture,
                      {{"model.cell", {Kind::kRecurrent, Kind::kLanguageModel}},
                       {"model.encoder_output", {Kind::kRecurrent}},
                       {"model.decoder_init", {Kind::kRecurrent}},
                       {"model.attention", {Kind::kRecurrent}},
                       {"model.heads", {Kind::kRecurrent, Kind::kTransformer}},
                       {"model.input_feeding", {Kind::kRecurrent}},
                       {"model.layer_norm", {Kind::kRecurrent}},
                       {"model.feed_forward_size", {Kind::kTransformer}},
                       {"model.pre_norm", {Kind::kTransformer}}});
}

}  // namespace

bool has_one_vocabulary(const VocabConfig& vocab) {
  return vocab.joint || (!vocab.source_model.empty() && vocab.source_model == vocab.target_model);
}

bool has_heads(const ModelConfig& model) {
  return model.architecture == Architecture::kTransformer || model.attention->has_heads;
}

std::string reason_without_effect(const Settings& settings, const std::string& name) {
  const auto reads = [&](const ObjectiveKind& kind) {
    return std::any_of(kind.settings.begin(), kind.settings.end(), [&](const auto& setting) {
      return name == std::string("train.") + setting.name;
    });
  };
  for (const auto* kind : objective_kinds()) {
    if (!reads(*kind) || reads(*settings.train.objective)) continue;
    return std::string("only train.objective ") + kind->name + " reads it";
  }
  return vocabulary_without_effect(settings.vocab, name, settings.automatic) +
         optimization_without_effect(settings.train, name, settings.automatic) +
         model_without_effect(settings.model, name);  // at most one is not empty
}

void validate_model(const Settings& settings) {
  const ModelConfig& model = settings.model;
  const bool is_transformer = model.architecture == Architecture::kTransformer;
  check_ranges("model", model);
  validate_hidden_size(model);
  require(!has_heads(model) || model.hidden_size % model.heads == 0, "model.heads",
          std::to_string(model.heads) + " does not divide model.hidden_size (" +
              std::to_string(model.hidden_size) + ")");
  validate_coverage(model);
  validate_copy(settings);
  require(model.decoder_layers == 0 || model.architecture != Architecture::kLanguageModel,
          "model.decoder_layers",
          "a language model has no encoder; set model.num_layers, and decoder_layers to 0");
  validate_residual(model);
  validate_dropout(model);
  require(!is_transformer || !model.cell_layer_norm, "model.cell_layer_norm",
          "a Transformer has no recurrent cells; set it to false");
  require(!is_transformer || model.embedding_size == model.hidden_size, "model.architecture",
          "transformer needs model.embedding_size (" + std::to_string(model.embedding_size) +
              ") and model.hidden_size (" + std::to_string(model.hidden_size) +
              ") to be equal; set them so");
  validate_tied_embeddings(settings);
}

void validate_given(const Settings& settings) {
  Settings::visit(settings, [](const char* section, const auto& values, const char*) {
    check_ranges(section, values);
  });
  const auto& vocab = settings.vocab;
  validate_hidden_size(settings.model);
  validate_data(settings.data);
  require(!vocab.joint || vocab.target_model.empty() || vocab.target_model == vocab.source_model,
          "vocab.target_model",
          vocab.target_model +
              " would not be used: with vocab.joint, vocab.source_model serves both languages");
  validate_objective(settings.train);
  validate_pair_files(settings);
  validate_memory(settings.train);
  require(settings.data.train_languages.empty() || settings.train.objective != &dual_objective(),
          "data.train_languages",
          "train.objective dual trains one direction and its reverse; use another objective");
}

void require_effects(const ModelConfig& model) {
  require(attends(model) || model.attention_temperature == 1.0, "model.attention_temperature",
          "has an effect only in a recurrent model with attention; set it to 1");
  require(model.architecture == Architecture::kTransformer || model.layer_dropout <= 0,
          "model.layer_dropout", "only a Transformer drops layers; set it to 0");
}

void validate(const Settings& settings) {
  validate_given(settings);
  validate_model(settings);
  validate_schedule(settings);
  validate_language_model(settings);
  validate_script(settings.validation);
}

}  // namespace nmt
