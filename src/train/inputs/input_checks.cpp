#include "train/inputs/input_checks.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "checkpoint/stored_model.h"
#include "checkpoint/stored_weights.h"
#include "config/dropout_rates.h"
#include "config/settings_io.h"
#include "config/validate.h"
#include "corpus_check/common_words.h"
#include "corpus_check/misalignment.h"
#include "data/hold_out.h"
#include "data/pair_reader.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "files/paired_lines.h"
#include "files/side_names.h"
#include "processes/interrupt.h"
#include "text/composed_form.h"
#include "text/sentence_key.h"
#include "text/target_languages.h"
#include "text/word_vocabulary.h"
#include "train/inputs/word_vectors.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

void require_other_file(const std::string& setting, const std::string& path,
                        const std::string& other_setting, const Paths& others,
                        const std::string& advice) {
  if (std::none_of(others.begin(), others.end(),
                   [&](const auto& other) { return same_file(path, other); })) {
    return;
  }
  throw Error(setting + ": " + path + " is also a file of " + other_setting + "; " + advice);
}

void check_sides(const DataConfig& data) {
  constexpr char kOtherSide[] =
      "set each side to its own file; nmt data convert splits text with tabs";
  for (size_t i = 0; i < data.train_source.size(); ++i) {
    require_other_file("data.train_target", data.train_target[i], "data.train_source",
                       {data.train_source[i]}, kOtherSide);
  }
  const auto check_set = [&](const std::string& set, const char* advice, const std::string& source,
                             const std::string& target) {
    if (source.empty()) return;
    const auto source_name = "data." + set + "_source";
    const auto target_name = "data." + set + "_target";
    require_other_file(target_name, target, source_name, {source}, kOtherSide);
    require_other_file(source_name, source, "data.train_target", data.train_target, advice);
    require_other_file(target_name, target, "data.train_source", data.train_source, advice);
  };
  check_set("valid", "check the order of the validation files", data.valid_source,
            data.valid_target);
  check_set("test", "check the order of the test files", data.test_source, data.test_target);
}

/// Corpora of several languages may have several directions.
void warn_of_swapped_names(const DataConfig& data) {
  const auto usual = side_names(data.train_source.front(), data.train_target.front());
  if (!usual || !data.train_languages.empty()) return;
  const auto check = [&](const std::string& source, const std::string& target) {
    if (side_names(source, target) != SideNames(usual->second, usual->first)) return;
    log_warning("{}: {} to {} by their names, but the training text is {} to {}; are they swapped?",
                corpus_name(source, target), usual->second, usual->first, usual->first,
                usual->second);
  };
  for (size_t i = 1; i < data.train_source.size(); ++i) {
    check(data.train_source[i], data.train_target[i]);
  }
  check(data.valid_source, data.valid_target);
  check(data.test_source, data.test_target);
}

void stop_between(int64_t lines) {
  constexpr int64_t kLinesBetweenLooks = 1 << 16;
  if (lines % kLinesBetweenLooks != 0) return;
  stop_if_interrupted("interrupted while checking the corpora; nothing was trained");
}

/// The vocabularies that read tokens of another toolkit (text/word_vocabulary.h), not text.
struct TokenSides {
  bool source = false;
  bool target = false;
};

void warn_of_lines(const std::string& path, int64_t affected, int64_t lines, double most_share,
                   const char* what) {
  const double share = static_cast<double>(affected) / static_cast<double>(lines);
  if (share > most_share) {
    log_warning("{}: {:.0f} % of the lines are {}", path, 100 * share, what);
  }
}

/// The pairs of a validation or test set that are in the training text, too, and that no setting
/// leaves out.
class LeakedPairs {
 public:
  /// `set`: its settings, without those of the other set.
  LeakedPairs(const char* name, DataConfig set) : name_(name) {
    left_out_ = left_out_sentences(set);
    set.hold_out = 1;
    set.exclude.clear();
    set_ = left_out_sentences(set);
  }

  /// The sentence_key of both sides.
  void add(uint64_t source, uint64_t target) {
    if (!set_.contains_key(source) || !set_.contains_key(target)) return;
    if (left_out_.contains_key(source) || left_out_.contains_key(target)) return;
    sources_.insert(source);
  }

  /// Warns unless they are few: people write the same short sentences again and again.
  /// `unit`: "pair", or "line" of a language model's text.
  void warn(const char* unit) const {
    constexpr size_t kMany = 50;  // one in as many sentences of both sides
    if (sources_.size() * kMany <= set_.size()) return;
    log_warning(
        "the training text has {} of the {} set, whose scores will be too high; add the files of "
        "the set to data.exclude",
        counted(static_cast<int64_t>(sources_.size()), unit), name_);
  }

 private:
  const char* name_;
  HeldOutSentences set_;
  HeldOutSentences left_out_;
  std::unordered_set<uint64_t> sources_;  // sentence_key
};

/// None where training leaves out the sentences of its sets.
std::vector<LeakedPairs> leaked_pairs(const DataConfig& data) {
  // HeldOutTexts sets a negative data.hold_out to 0 if a validation set is given.
  if (data.hold_out > 0 || (data.hold_out < 0 && data.valid_source.empty())) return {};
  auto validation = data;
  auto test = data;
  for (auto* text : {&validation.test_source, &validation.test_target}) text->clear();
  for (auto* text : {&test.valid_source, &test.valid_target}) text->clear();
  return {{"validation", validation}, {"test", test}};
}

/// Returns the number of pairs. Throws Error for invalid UTF-8. Warns of sides that seem misaligned
/// or swapped, of a side split into subwords unless tokens are expected, and of a target that is
/// not in composed form. Adds the pairs of a training text to each of `leaked`.
int64_t check_lines(const std::string& source, const std::string& target, TokenSides tokens,
                    std::vector<LeakedPairs>* leaked = nullptr) {
  PairReader reader(source, target);
  std::string source_line;
  std::string target_line;
  int64_t lines = 0;
  int64_t split_sources = 0;
  int64_t split_targets = 0;
  AlignmentSample sample;
  NamedLanguages names(source, target);
  constexpr int64_t kComposedSample = 200000;  // lines
  int64_t not_composed = 0;
  while (reader.next(source_line, target_line)) {
    stop_between(++lines);
    require_utf8(source_line, source, lines);
    require_utf8(target_line, target, lines);
    sample.add(source_line, target_line);
    names.add(source_line, target_line);
    if (lines <= kComposedSample && !is_composed(target_line)) ++not_composed;
    if (leaked != nullptr && !leaked->empty()) {
      const auto source_key = sentence_key(source_line);
      const auto target_key = sentence_key(target_line);
      for (auto& pairs : *leaked) pairs.add(source_key, target_key);
    }
    if (!tokens.source && is_split_into_subwords(source_line)) ++split_sources;
    if (!tokens.target && is_split_into_subwords(target_line)) ++split_targets;
  }
  require_not_empty(source, target, lines);
  warn_of_lines(source, split_sources, lines, kSplitShare, kSplitIntoSubwords);
  if (target != source) {
    warn_of_lines(target, split_targets, lines, kSplitShare, kSplitIntoSubwords);
    warn_of_lines(target, not_composed, std::min(lines, kComposedSample), kNotComposedShare,
                  kNotComposed);
  }
  if (names.exchanged()) log_warning(names.warning());
  const double misaligned = sample.misaligned_share();
  if (misaligned > 0.5) {
    log_warning("{}: about {:.0f} % of the pairs seem misaligned; check them with nmt data check",
                corpus_name(source, target), 100 * misaligned);
  }
  return lines;
}

/// Checks that a file that accompanies the corpus has `pairs` lines.
void check_lines_beside(const std::string& corpus, int64_t pairs, const std::string& path) {
  std::string line;
  int64_t lines = 0;
  LineReader reader(path);
  for (reader.require_text(); reader.next(line);) stop_between(++lines);
  require_paired_lines(corpus, static_cast<size_t>(pairs), path, static_cast<size_t>(lines));
}

/// Checks the language markers of a set whose lines name their target language.
void check_languages(const std::string& path, const std::vector<std::string>& languages) {
  if (path.empty() || languages.empty()) return;
  std::string line;
  for (LineReader reader(path); reader.next(line);) {
    const auto language = split_marker(line).language;
    const bool is_blank = line.find_first_not_of(" \t\r") == std::string::npos;
    if (is_blank || std::find(languages.begin(), languages.end(), language) != languages.end()) {
      continue;
    }
    throw Error(path + ": line " + std::to_string(reader.line_number()) +
                ": names no language of data.train_languages; begin it with e.g. " +
                language_piece(languages.front()));
  }
}

TokenSides check_ready_vocabularies(const VocabConfig& vocab) {
  const auto reads_tokens = [](const std::string& path) {
    return !path.empty() && Tokenizer::from_file(path).reads_tokens();
  };
  const bool source = reads_tokens(vocab.source_model);
  const bool target = reads_tokens(vocab.target_model);
  return {source, vocab.joint ? source : target};
}

void require_vocabulary_of(const Settings& settings, const char* name, const std::string& path,
                           const Tokenizer& vocabulary) {
  if (path.empty() || Tokenizer::from_file(path).bytes() == vocabulary.bytes()) return;
  throw Error(std::string(name) + ": " + path + " differs from the vocabulary of " +
              settings.train.initial_model +
              ", which train.initial_model brings; unset one of "
              "the two");
}

/// Throws Error if vocabulary settings differ both from the defaults and from the initial model's:
/// they would have no effect. Not for an initial model trained with given vocabularies, whose
/// settings do not describe them.
void require_vocabulary_settings_of(const Settings& settings, const StoredModel& initial) {
  const auto& vocab = initial.settings.vocab;
  if (!vocab.source_model.empty() || !vocab.target_model.empty()) return;
  auto defaults = settings, brought = settings;
  defaults.vocab = {};
  brought.vocab = initial.settings.vocab;
  brought.vocab.source_model = settings.vocab.source_model;
  brought.vocab.target_model = settings.vocab.target_model;
  if (initial.source.bytes() == initial.target.bytes()) brought.vocab.joint = settings.vocab.joint;
  const auto given = changed_settings(defaults, settings);
  for (const auto& change : changed_settings(brought, settings)) {
    if (std::none_of(given.begin(), given.end(),
                     [&](const auto& one) { return one.name == change.name; })) {
      continue;
    }
    throw Error(change.name + ": " + change.now +
                ", but train.initial_model brings vocabularies made with " + change.before +
                "; leave it out");
  }
}

/// Throws Error for other network settings than the initial model's: weights of the same shapes can
/// still compute another function, with another temperature, heads or residual connections.
void require_network_of(const Settings& settings, const Settings& initial) {
  auto before = settings, now = settings;
  before.model = initial.model;
  remove_dropout(before.model);
  remove_dropout(now.model);
  for (const auto& change : changed_settings(before, now)) {
    if (change.name == "model.embedding_init_std") continue;
    throw Error(change.name + ": " + change.now + ", but train.initial_model was trained with " +
                change.before + "; set it to that");
  }
}

TokenSides check_initial_model(const Settings& settings) {
  const auto initial = read_model(settings.train.initial_model);
  const auto is_language_model = [](const Settings& model) {
    return model.model.architecture == Architecture::kLanguageModel;
  };
  if (is_language_model(initial.settings) != is_language_model(settings)) {
    throw Error(
        "train.initial_model: " + settings.train.initial_model +
        (is_language_model(settings)
             ? " is a translator; use a language model"
             : " is a language model; fine-tune it with nmt lm train, or use it with --lm"));
  }
  const TargetLanguages languages(initial.source);
  for (const auto& code : settings.data.train_languages) languages.require(code);
  const auto& vocab = settings.vocab;
  require_vocabulary_of(settings, "vocab.source_model", vocab.source_model, initial.source);
  require_vocabulary_of(settings, "vocab.target_model", vocab.target_model, initial.target);
  require_vocabulary_settings_of(settings, initial);
  try {
    require_weights_of(
        {settings.model, initial.source.vocabulary_size(), initial.target.vocabulary_size()},
        initial.weights);
  } catch (const Error& error) {
    throw Error(std::string("train.initial_model: the settings under model do not fit: ") +
                error.what() + "; give that model's config.yaml as the first --config");
  }
  require_network_of(settings, initial.settings);
  return {initial.source.reads_tokens(), initial.target.reads_tokens()};
}

/// Only warns: a settings file may serve several runs, some of which do not read all of it.
void warn_of_ignored_settings(const Settings& settings) {
  for (const auto& change : changed_settings(Settings(), settings)) {
    const auto reason = reason_without_effect(settings, change.name);
    if (!reason.empty()) log_warning("{}: has no effect, because {}", change.name, reason);
  }
}

}  // namespace

void require_corpora(const DataConfig& data, const ModelDirectory& directory) {
  if (data.train_source.empty() || data.train_target.empty()) {
    throw Error(
        "no training corpus: use --train-sets SOURCE TARGET, or set data.train_source and "
        "data.train_target in the configuration");
  }
  if (data.valid_source.empty() != data.valid_target.empty()) {
    throw Error("data.valid_source and data.valid_target: only one is set; set both or neither");
  }
  if (data.test_source.empty() != data.test_target.empty()) {
    throw Error("data.test_source and data.test_target: only one is set; set both or neither");
  }
  auto paths = data.train_source;
  paths.insert(paths.end(), data.train_target.begin(), data.train_target.end());
  for (const auto* beside : {&data.train_alignments, &data.train_sentence_weights}) {
    paths.insert(paths.end(), beside->begin(), beside->end());
  }
  paths.insert(paths.end(),
               {data.valid_source, data.valid_target, data.test_source, data.test_target});
  paths.insert(paths.end(), data.exclude.begin(), data.exclude.end());
  for (const auto& path : paths) {
    require_rereadable({path});
    if (path.empty() || fs::exists(path)) continue;
    const bool moved = directory.holds_run() && fs::path(path).is_relative();
    throw Error(path + ": no such file" +
                (moved ? "; resume the run in the directory where it was started, or set the new "
                         "paths of its texts"
                       : ""));
  }
}

void check_new_run(const Settings& settings) {
  require_effects(settings.model);
  warn_of_ignored_settings(settings);
  auto tokens = check_ready_vocabularies(settings.vocab);
  for (const auto& code : settings.data.train_languages) require_language_name(code);
  for (const auto& file : {settings.train.source_embeddings, settings.train.target_embeddings}) {
    if (!file.empty()) require_word_vectors(file, settings.model.embedding_size);
  }
  if (!settings.train.initial_model.empty()) {
    tokens = check_initial_model(settings);
  } else if (settings.train.objective->needs_trained) {
    log_warning(
        "train.objective: {} starts from random weights, from which it learns next to nothing; set "
        "train.initial_model to a trained model",
        settings.train.objective->name);
  }
  const auto& data = settings.data;
  // A language model is trained as a translator whose two sides are one text.
  if (settings.model.architecture != Architecture::kLanguageModel) {
    check_sides(data);
  } else if (data.train_source != data.train_target) {
    throw Error("model.architecture: a language model is trained on one text; use nmt lm train");
  }
  warn_of_swapped_names(data);
  auto leaked = leaked_pairs(data);
  for (size_t i = 0; i < data.train_source.size(); ++i) {
    const auto pairs = check_lines(data.train_source[i], data.train_target[i], tokens, &leaked);
    for (const auto* beside : {&data.train_alignments, &data.train_sentence_weights}) {
      if (!beside->empty()) check_lines_beside(data.train_source[i], pairs, (*beside)[i]);
    }
  }
  for (const auto& pairs : leaked) {
    pairs.warn(data.train_source == data.train_target ? "line" : "pair");
  }
  check_languages(data.valid_source, data.train_languages);
  check_languages(data.test_source, data.train_languages);
  if (!data.valid_source.empty()) check_lines(data.valid_source, data.valid_target, tokens);
  if (!data.test_source.empty()) check_lines(data.test_source, data.test_target, tokens);
}

}  // namespace nmt
