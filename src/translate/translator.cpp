#include "translate/translator.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "checkpoint/lexical_shortlist.h"
#include "checkpoint/stored_model.h"
#include "config/settings_io.h"
#include "decode/sentence_beam.h"
#include "errors/error.h"
#include "files/paired_lines.h"
#include "files/sha256.h"
#include "text/language_identifier.h"
#include "text/letterless_sentences.h"
#include "text/model_description.h"
#include "text/placeholders.h"
#include "text/protected_spans.h"
#include "text/special_tokens.h"
#include "text/target_languages.h"
#include "text/word_vocabulary.h"
#include "threads/threads.h"
#include "translate/alternatives.h"
#include "translate/assembly.h"
#include "translate/constraint_encoder.h"
#include "translate/constraint_plan.h"
#include "translate/engine_choice.h"
#include "translate/forced_translation.h"
#include "translate/fused_engine.h"
#include "translate/language_detection.h"
#include "translate/languages.h"
#include "translate/protection.h"
#include "translate/search_request.h"
#include "translate/source_line.h"
#include "translate/source_measures.h"
#include "translate/words.h"
#include "unicode/code_points.h"
#include "unicode/letter_case.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

void require_valid_utf8(const std::string& text, const char* what) {
  if (find_invalid_utf8(text)) throw Error("the " + std::string(what) + " is not valid UTF-8");
}

/// Search options for parts with names to copy. Allows unknown pieces: a model trained with unknown
/// words writes them where the names belong.
SearchOptions copying(SearchOptions search) {
  search.attention = true;
  search.scores = true;  // names replace what the model is unsure of
  search.suppressed_tokens = {kPadId, kBosId};
  return search;
}

/// Whether the prefix's sentences begin with the same list marks as the line's sentences. False if
/// these have footnotes, which the prefix may contain.
bool repeats_list_marks(const TextPieces& prefix, const TextPieces& line,
                        const Protection& protection) {
  const auto has_footnote = [](const std::string& sentence) {
    return footnotes_begin(sentence) < sentence.size();
  };
  if (std::any_of(line.sentences.begin(), line.sentences.end(), has_footnote)) return false;
  const size_t count = std::min(prefix.sentences.size(), line.sentences.size());
  for (size_t i = 0; i < count; ++i) {
    const auto& sentence = prefix.sentences[i];
    const size_t size = protection.marks_length(line.sentences[i]);
    const bool repeats = sentence.compare(0, size, line.sentences[i], 0, size) == 0 &&
                         (sentence.size() == size || sentence[size] == ' ');
    if (size > 0 && !repeats) return false;
  }
  return true;
}

bool has_attention(const Seq2SeqOptions& options) {
  return options.architecture == Architecture::kTransformer ||
         (options.architecture == Architecture::kRecurrent &&
          options.attention != &none_attention());
}

void require_one_vocabulary(const std::vector<StoredModel>& models,
                            const std::vector<std::filesystem::path>& directories) {
  for (size_t i = 1; i < models.size(); ++i) {
    if (same_vocabulary(models[i].source.bytes(), models[0].source.bytes()) &&
        same_vocabulary(models[i].target.bytes(), models[0].target.bytes())) {
      continue;
    }
    throw Error(directories[i].string() + " and " + directories[0].string() +
                ": an ensemble needs models with the same vocabularies; train them with "
                "--vocab.source-model and --vocab.target-model");
  }
}

/// The weights of the models, which sum to 1.
std::vector<double> model_weights(const TranslatorOptions& options) {
  const auto count = options.model_dirs.size();
  if (options.model_weights.empty()) {
    return std::vector<double>(count, 1.0 / static_cast<double>(count));
  }
  if (options.model_weights.size() != count) {
    throw OptionError("model_weights", std::to_string(options.model_weights.size()) +
                                           " given for " + std::to_string(count) +
                                           " models; use one for each model");
  }
  double sum = 0.0;
  for (const double weight : options.model_weights) {
    if (!(weight > 0.0 && weight <= 1e6)) {
      throw OptionError(
          "model_weights",
          std::to_string(weight) + " is out of range; use a number above 0, at most 1000000");
    }
    sum += weight;
  }
  auto weights = options.model_weights;
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// Reads the language model that the options name, if any.
void read_language_model(const TranslatorOptions& options, EngineModels& models) {
  const double weight = options.language_model_weight;
  if (!(weight >= 0.0 && weight <= 100.0)) {
    throw UsageError("language_model_weight: " + std::to_string(weight) +
                     " is out of range; use 0 to 100");
  }
  if (options.language_model.empty()) {
    if (weight == TranslatorOptions().language_model_weight) return;
    throw UsageError(
        "language_model_weight: has no effect without language_model; set both or neither");
  }
  const auto name = options.language_model.string();
  models.language_model = read_model(options.language_model);
  models.language_model_weight = weight;
  if (models.language_model->options.architecture != Architecture::kLanguageModel) {
    throw Error(name + ": not a language model; use one of nmt lm train");
  }
  if (!same_vocabulary(models.language_model->target.bytes(),
                       models.translators.front().target.bytes())) {
    throw Error(name + ": its vocabulary differs from the target of " +
                options.model_dirs.front().string() +
                "; train it with nmt lm train --vocabulary-of that model");
  }
}

EngineModels read_models(const TranslatorOptions& options) {
  if (options.model_dirs.empty()) throw UsageError("no model given; use at least one");
  if (options.threads < 0 || options.threads > 1024) {
    throw UsageError("threads: " + std::to_string(options.threads) +
                     " is out of range; use 0 to 1024");
  }
  if (options.callers < 0) throw UsageError("callers: out of range; use 0 or more");
  EngineModels models;
  for (const auto& directory : options.model_dirs) {
    if (directory.empty()) throw UsageError("model: is empty; use a path");
    models.translators.push_back(read_model(directory));
    require_translator(models.translators.back().options, directory);
  }
  require_one_vocabulary(models.translators, options.model_dirs);
  models.weights = model_weights(options);
  models.bfloat16 = options.precision == TranslationPrecision::kBfloat16;
  read_language_model(options, models);
  return models;
}

}  // namespace

struct Translator::Impl {
  EngineModels all;
  std::vector<StoredModel>& models = all.translators;
  std::string name;  // of the first model
  TargetLanguages languages{source()};
  std::string given_language;  // TranslatorOptions::target_language
  std::string source_language;
  std::vector<std::string> source_languages;
  std::string target_language;
  SentenceHints hints;
  Protection protection;
  VocabularyScripts scripts{KnownScripts(source()), KnownScripts(target())};
  Recaser recaser{source()};
  LetterlessSentences letterless{source()};
  std::optional<LexicalShortlist> shortlist;
  std::string shortlist_hash;
  int callers = 1;
  std::unique_ptr<Engine> engine;
  // Made on demand.
  std::optional<ConstraintEncoder> constraint_encoder;
  std::once_flag encoder_made;
  std::optional<LanguageIdentifier> language_identifier;
  std::once_flag identifier_made;

  explicit Impl(const TranslatorOptions& options);

  const Tokenizer& source() const { return models.front().source; }
  const Tokenizer& target() const { return models.front().target; }
  Tokenizers tokenizers() const { return {source(), target()}; }

  bool attends() const {
    return std::any_of(models.begin(), models.end(),
                       [](const StoredModel& model) { return has_attention(model.options); });
  }

  const ConstraintEncoder& encoder() {
    std::call_once(encoder_made, [this] { constraint_encoder.emplace(target()); });
    return *constraint_encoder;
  }

  const LanguageIdentifier& identifier() {
    std::call_once(identifier_made, [this] { language_identifier.emplace(tokenizers()); });
    return *language_identifier;
  }

  /// `by_language`: also pass through sentences in the target language.
  PassThrough pass_through(bool by_language) {
    if (by_language && !can_pass_through()) {
      throw OptionError(
          "pass_through",
          "the model's languages cannot be distinguished; use a model of one direction "
          "that has two vocabularies, or whose name, such as ko-en, or training "
          "files, such as train.ko and train.en, name both languages");
    }
    return [this, by_language](const std::string& sentence, bool has_term) {
      if (letterless.contain(sentence)) return !has_term;
      return by_language && is_in_target_language(sentence);
    };
  }

  bool can_pass_through() {
    return languages.empty() && (identifier().has_two_vocabularies() ||
                                 can_distinguish({source_language, target_language}));
  }

  bool is_in_target_language(const std::string& sentence) {
    if (!identifier().has_two_vocabularies()) {
      return is_in(sentence, target_language, {source_language, target_language});
    }
    const auto language = identifier().identify(sentence);
    return language.target > language.source && language.target > language.neither;
  }

  /// The calibration for these options, or null if translations have no confidence.
  const Calibration* calibration_for(const TranslationOptions& options) const {
    const auto& calibration = models.front().calibration;
    const bool applies = models.size() == 1 && !all.language_model && !options.sample &&
                         (options.scores || options.words);
    return applies && calibration ? &*calibration : nullptr;
  }

  /// Removes the attention to target language tokens.
  void forget_languages(const TokenLists& sources, HypothesisLists& found) const {
    for (size_t i = 0; i < sources.size(); ++i) {
      if (!languages.in_front_of(sources[i])) continue;
      for (auto& hypothesis : found[i]) {
        for (auto& row : hypothesis.attention) {
          if (!row.empty()) row.erase(row.begin());
        }
      }
    }
  }

  /// `sources` include the target language tokens.
  HypothesisLists search(const TokenLists& sources, const TranslationOptions& options,
                         const SearchOptions& search, const ConstraintList& constraint_list) {
    auto shortened = search;
    shortened.shortlist = shortlist ? &*shortlist : nullptr;
    auto found = engine->search(sources, options.batch_size, shortened, constraint_list);
    forget_languages(sources, found);
    return found;
  }

  LineSplit default_split() const {
    const bool paragraphs = models.front().settings.data.lines == LineUnit::kParagraphs;
    return paragraphs ? LineSplit::kNone : LineSplit::kSentences;
  }

  /// A line with the constraints of its parts: none, or one for each.
  struct Job {
    SourceLine line;
    ConstraintList constraints;
    int32_t language = kPadId;  // target language token before each part; kPadId: none

    std::vector<int32_t> read(const std::vector<int32_t>& tokens) const {
      return TargetLanguages::Line{language, {}}.tokens(tokens);
    }
  };

  /// The beginning of a translation as the model wrote it, before the translations of sentences in
  /// capitals were capitalized.
  std::string before_capitals(const std::string& prefix, const std::vector<std::string>& sentences,
                              const SentenceHints& prefix_hints) const {
    constexpr auto kAllCaps = LetterCase::kAllCaps;
    const auto pieces = split_text(prefix, prefix_hints);
    std::optional<Recaser> target_recaser;  // made on first use: it reads the whole vocabulary
    auto text = pieces.between.front();
    for (size_t i = 0; i < pieces.sentences.size(); ++i) {
      const bool is_recased = i < sentences.size() && letter_case_of(sentences[i]) == kAllCaps &&
                              recaser.ordinary(sentences[i], kAllCaps);
      // The model reads no list mark, so the word after it is the first.
      const size_t mark = list_mark_length(pieces.sentences[i]);
      const auto written = pieces.sentences[i].substr(mark);
      text += pieces.sentences[i].substr(0, mark);
      if (is_recased && !target_recaser) target_recaser.emplace(target());
      text += is_recased ? target_recaser->ordinary(written, kAllCaps).value_or(written) : written;
      text += pieces.between[i + 1];
    }
    return text;
  }

  /// The unknown symbols that separate sentences of a line with constraints: those that its prefix
  /// has, so that both are divided alike; none if a part may get a phrase of the others.
  std::u32string separators_of(const TranslationConstraints& constraints) const {
    std::u32string separators;
    if (!constraints.phrases.empty()) return separators;
    const auto prefix = to_code_points(constraints.prefix);
    for (const char32_t symbol : hints.separators) {
      if (is_one_of(symbol, prefix)) separators += symbol;
    }
    return separators;
  }

  /// `continues`: the prefix begins a translation of the line, so both are recased.
  Job make_job(const std::string& text, TranslationConstraints constraints,
               const TranslationOptions& options, const SearchOptions& search,
               bool continues = false) {
    require_valid_utf8(constraints.prefix, "prefix");
    for (const auto& phrase : constraints.phrases) require_valid_utf8(phrase, "constraint");
    auto split = options;
    if (options.split == LineSplit::kModel) split.split = default_split();
    // The prefix's sentences must correspond to the line's, so these are not split further.
    if (!constraints.prefix.empty() && split.split == LineSplit::kSentences) {
      split.max_source_length = std::max<int64_t>(split.max_source_length, kMaxUnsplitTokens);
    }
    const bool free = constraints.prefix.empty() && constraints.phrases.empty();
    // Constraints have the case of the translation, and a model may be trained on capitals.
    split.recase = options.recase && (free || continues);
    // Without attention, nothing shows where a name belongs; a prefix must not be replaced.
    split.copy_unknown = options.copy_unknown && free && attends();
    const auto line = languages.read(text, given_language);
    SentenceHints own_hints;  // copied only for constraints: most lines have none
    if (!free) own_hints = {hints.starters, separators_of(constraints)};
    const SentenceHints prefix_hints{{}, own_hints.separators};
    const auto& line_hints = free ? hints : own_hints;
    const auto pieces_of = [&](std::string_view whole) {
      return line_pieces(whole, split.split, line_hints);
    };
    if (continues && split.recase) {
      constraints.prefix =
          before_capitals(constraints.prefix, pieces_of(line.text).sentences, prefix_hints);
    }
    ProtectionChoice choice;
    choice.list_marks = free || (!constraints.prefix.empty() &&
                                 repeats_list_marks(pieces_of(constraints.prefix),
                                                    pieces_of(line.text), protection));
    choice.form = constraints.phrases.empty();
    const size_t marker = text.size() - line.text.size();
    for (const auto& [begin, end] : constraints.copied) {
      if (begin >= marker) choice.copied.push_back({begin - marker, end - marker});
    }
    Job job{make_source_line(std::string(line.text), split, line_hints, protection, source(),
                             pass_through(options.pass_through && free), &recaser, choice),
            {},
            line.token};
    if (split.copy_unknown && !job.line.words.texts.empty()) {
      set_names(find_unknown_names(job.line.tokens, job.line.words, source(), scripts), job.line);
    }
    if (!free) {
      job.constraints = plan_constraints(
          constraints, job.line, encoder(),
          [&](TokenLists sources, const ConstraintList& trials) {
            for (auto& source : sources) source = job.read(source);
            std::vector<double> values;
            for (const auto& found : this->search(sources, options, search, trials)) {
              values.push_back(found.front().log_probability);
            }
            return values;
          },
          prefix_hints);
      keep_given(job);
    }
    set_limits(job, search);
    return job;
  }

  /// Protects what the constraints give from replacements.
  static void keep_given(Job& job) {
    for (size_t i = 0; i < job.line.parts.size(); ++i) {
      auto& part = job.line.parts[i];
      const auto& constraints = job.constraints[i];
      part.given.prefix = constraints.prefix.size();
      part.given.partial_word = constraints.partial_word.pieces.size();
      part.given.phrases = constraints.phrases;
      part.given.joints = constraints.joints;
      if (constraints.ends) part.replacements.clear();
    }
  }

  static void set_limits(Job& job, const SearchOptions& search) {
    for (size_t i = 0; i < job.line.parts.size(); ++i) {
      auto& part = job.line.parts[i];
      const auto* constraints = constraints_of(job.constraints, i);
      const bool given =
          constraints != nullptr && constraints->ends;  // a complete translation has no limit
      part.limit = given ? std::numeric_limits<int64_t>::max()
                         : token_limit(search, static_cast<int64_t>(job.read(part.tokens).size()),
                                       constraints);
    }
  }

  AssemblyContext context(const TranslationOptions& options) const {
    return {tokenizers(), protection, scripts.source, calibration_for(options)};
  }

  std::vector<GivenPair> given_pairs(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& targets,
                                     size_t first_line) const {
    require_paired_lines("sources", sources.size(), "targets", targets.size());
    const auto placeholders = placeholders_of(tokenizers());
    std::vector<GivenPair> pairs;
    for (size_t i = 0; i < sources.size(); ++i) {
      const auto line = languages.read(sources[i], given_language);
      pairs.push_back(make_given_pair(std::string(line.text), targets[i], first_line + i,
                                      tokenizers(), placeholders));
      pairs.back().source_tokens = line.tokens(pairs.back().source.tokens);
    }
    return pairs;
  }

  /// Whether there are replacements, which need attention to be placed.
  static bool has_replacements(const Job& job) {
    return std::any_of(job.line.parts.begin(), job.line.parts.end(),
                       [](const SourcePart& part) { return !part.replacements.empty(); });
  }

  /// The n-best lists of the jobs' parts that copy names (`copies`), or of all others.
  HypothesisLists search_jobs(const std::vector<Job>& jobs, const TranslationOptions& options,
                              const SearchOptions& search, bool copies) {
    TokenLists sources;
    ConstraintList constraint_list;
    bool constrained = false;
    for (const auto& job : jobs) {
      for (size_t i = 0; i < job.line.parts.size(); ++i) {
        if (job.line.parts[i].names.empty() == copies) continue;
        sources.push_back(job.read(job.line.parts[i].tokens));
        const auto* own = constraints_of(job.constraints, i);
        constraint_list.push_back(own == nullptr ? DecodingConstraints() : *own);
        constrained = constrained || own != nullptr;
      }
    }
    if (sources.empty()) return {};
    if (!constrained) constraint_list.clear();
    return this->search(sources, options, search, constraint_list);
  }

  std::vector<Translation> translate(const std::vector<Job>& jobs,
                                     const TranslationOptions& options,
                                     const SearchOptions& search) {
    auto placing = search;
    placing.attention = search.attention || std::any_of(jobs.begin(), jobs.end(), has_replacements);
    auto found = search_jobs(jobs, options, placing, /*copies=*/false);
    auto copied = search_jobs(jobs, options, copying(search), /*copies=*/true);
    const auto context = this->context(options);
    std::vector<Translation> translations;
    auto next_found = std::make_move_iterator(found.begin());
    auto next_copied = std::make_move_iterator(copied.begin());
    for (const auto& job : jobs) {
      const auto& line = job.line;
      HypothesisLists lists;
      for (const auto& part : line.parts) {
        lists.push_back(*(part.names.empty() ? next_found : next_copied)++);
      }
      translations.push_back(assemble(line, lists, context, options));
    }
    return translations;
  }
};

Translator::Impl::Impl(const TranslatorOptions& options)
    : all(read_models(options)),
      name(options.model_dirs.front().string()),
      given_language(options.target_language) {
  const auto& settings = models.front().settings;
  if (!given_language.empty()) languages.require(given_language);
  target_language = given_language;
  const auto guessed = languages.empty() ? guess_direction(settings, name) : Direction();
  if (guessed.source != "xx") source_language = guessed.source;
  if (guessed.target != "xx") target_language = guessed.target;
  for (const auto& trained : directions_of(settings, name, languages.codes())) {
    if (trained.source != "xx" && trained.target == target_language) {
      source_languages.push_back(trained.source);
    }
  }
  if (!options.terms.empty() && !attends()) {
    throw OptionError("terms",
                      "the model has no attention to show where they are; use --constraints");
  }
  const auto& data = settings.data;
  hints = {{data.sentence_starters.begin(), data.sentence_starters.end()},
           unknown_joining_symbols(source())};
  protection = {tokenizers(),
                options.terms.empty() ? std::vector<TermPair>() : read_terms(options.terms),
                SentenceForm(data.final_marks, data.first_letter == FirstLetter::kCapital)};
  if (!options.shortlist.empty()) {
    shortlist = read_lexical_shortlist(options.shortlist, tokenizers());
    shortlist_hash = sha256_of_file(options.shortlist);
  }
  std::vector<Seq2SeqOptions> shapes;
  for (const auto& model : models) shapes.push_back(model.options);
  require_possible(options, shapes);
  const int threads = number_of_threads(options.threads);
  if (uses_plain_engine(options, shapes)) {
    engine = make_plain_engine(all, options.device, threads);
  } else {
    const bool int8 = options.precision == TranslationPrecision::kInt8;
    callers = options.callers > 0 ? std::min(options.callers, threads) : threads;
    engine =
        make_fused_engine(all, int8 ? WeightType::kInt8 : WeightType::kFloat32, threads, callers);
  }
}

Translator::Translator(const TranslatorOptions& options) : impl_(std::make_unique<Impl>(options)) {}

Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;
Translator& Translator::operator=(Translator&&) noexcept = default;

int Translator::callers() const { return impl_->callers; }

const std::string& Translator::source_language() const { return impl_->source_language; }

const std::vector<std::string>& Translator::source_languages() const {
  return impl_->source_languages;
}

const std::string& Translator::target_language() const { return impl_->target_language; }

const std::vector<std::string>& Translator::target_languages() const {
  return impl_->languages.codes();
}

bool Translator::reads_tokens() const { return impl_->source().reads_tokens(); }

bool Translator::reads_markup(const std::string& markup) const {
  const auto tokens = impl_->source().encode(markup);
  const auto pieces = impl_->source().pieces(tokens);
  const bool has_longer = std::any_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
    const auto codes = to_code_points(piece);
    const bool is_of_markup =
        piece.find_first_of("<>&") != std::string::npos && !begins_with(piece, "<0x");
    return is_of_markup && codes.size() > (codes.front() == U'\u2581' ? 2U : 1U);
  });
  return has_longer && !has_unknown_piece(tokens, impl_->source());
}

std::string Translator::foreign_script(const std::string& text) const {
  const bool marked = !impl_->languages.empty() && impl_->given_language.empty();
  const std::string own(marked ? split_marker(text).text : text);
  const auto read = with_placeholders(replace_invalid_utf8(own),
                                      {SpanKind::kUrl, SpanKind::kEmail, SpanKind::kEmoji});
  const auto found = foreign_letters({read}, impl_->scripts.source);
  return found.share < kForeign ? "" : script_name(found.script);
}

void Translator::require_languages(const std::vector<std::string>& lines, const std::string& file,
                                   const std::string& option, size_t first_line) const {
  if (!impl_->given_language.empty()) return;
  impl_->languages.require_lines(lines, file, option, first_line);
}

void Translator::require_attention() const {
  if (impl_->attends()) return;
  throw Error(impl_->name + ": has no attention (model.attention is none); use another model");
}

std::vector<std::string> Translator::as_translated(std::vector<std::string> targets) const {
  return text_of_tokens(std::move(targets), impl_->target());
}

bool Translator::misreads(const std::vector<std::string>& targets) const {
  return misreads_text(impl_->target(), targets);
}

LineSplit Translator::default_split() const { return impl_->default_split(); }

const SentenceHints& Translator::sentence_hints() const { return impl_->hints; }

std::map<std::string, std::string> Translator::fingerprint() const {
  const auto add = [](Sha256& hash, const StoredModel& model) {
    hash.add(sha256(to_yaml(model.settings, /*with_comments=*/false)));
    hash.add(sha256(model.source.bytes()));
    hash.add(sha256(model.target.bytes()));
    hash.add(sha256(model.weights.file->bytes()));
    if (model.calibration) hash.add(sha256(calibration_json(*model.calibration)));
  };
  Sha256 models;
  for (const auto& model : impl_->models) add(models, model);
  for (const double weight : impl_->all.weights) models.add(fmt::format("weight {}\n", weight));
  std::map<std::string, std::string> hashes = {{"the model", models.hexadecimal()}};
  if (impl_->all.language_model) {
    Sha256 language_model;
    add(language_model, *impl_->all.language_model);
    language_model.add(fmt::format("weight {}\n", impl_->all.language_model_weight));
    hashes["the language model"] = language_model.hexadecimal();
  }
  if (!impl_->protection.terms().empty()) {
    Sha256 terms;
    for (const auto& [term, translation] : impl_->protection.terms()) {
      terms.add(fmt::format("{}\t{}\n", term, translation));
    }
    hashes["the terms"] = terms.hexadecimal();
  }
  if (impl_->shortlist) hashes["the shortlist"] = impl_->shortlist_hash;
  return hashes;
}

std::vector<Translation> Translator::translate(
    const std::vector<std::string>& lines, const TranslationOptions& options,
    const std::vector<TranslationConstraints>& constraint_list) const {
  require_valid(options);
  require_valid_constraints(options, constraint_list, lines.size());
  const auto search = search_options(options);
  std::vector<Impl::Job> jobs;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto constraints =
        constraint_list.empty() ? TranslationConstraints() : constraint_list[i];
    jobs.push_back(impl_->make_job(lines[i], constraints, options, search));
  }
  return impl_->translate(jobs, options, search);
}

Translation Translator::translate(const std::string& line, const TranslationOptions& options,
                                  const TranslationConstraints& constraints,
                                  const TextWatch& watch) const {
  require_valid(options);
  require_valid_constraints(options, {constraints}, 1);
  auto search = search_options(options);
  const auto job = impl_->make_job(line, constraints, options, search);
  search.attention = search.attention || Impl::has_replacements(job);
  std::string before;  // text of the finished parts
  std::optional<std::string> reported;
  const auto report = [&](const std::string& text) {
    if (watch && text != reported.value_or("")) watch(*(reported = text));
  };
  HypothesisLists found;
  const auto with_earlier_parts = [&](const std::vector<int32_t>& tokens) {
    auto text = impl_->target().decode(tokens);
    if (job.line.parts[found.size()].all_caps) text = to_upper(text);
    const bool joined = !before.empty() && !text.empty();
    return before + (joined ? joint(before, job.line.parts[found.size()].before) : "") + text;
  };
  const auto watch_part = [&](const std::vector<int32_t>& so_far) {
    report(job.line.before + with_earlier_parts(so_far));
  };
  for (size_t i = 0; i < job.line.parts.size(); ++i) {
    const auto& part = job.line.parts[i];
    const auto* own = constraints_of(job.constraints, i);
    auto own_search = part.names.empty() ? search : copying(search);
    own_search.watch = watch_part;
    auto list = impl_->search({job.read(part.tokens)}, options, own_search,
                              own == nullptr ? ConstraintList() : ConstraintList{*own});
    if (part.verbatim.empty()) {
      before = with_earlier_parts(list.front().front().tokens);
    } else {
      if (!before.empty()) before += gap_before_verbatim(before, job.line, i);
      before += part.verbatim;
    }
    report(job.line.before + before);
    found.push_back(std::move(list.front()));
  }
  auto translation = assemble(job.line, found, impl_->context(options), options);
  report(translation.text);
  if (watch && !reported) watch(translation.text);
  return translation;
}

std::vector<Alternative> Translator::alternatives(const std::string& line,
                                                  const std::string& prefix, int64_t count,
                                                  const TranslationOptions& options) const {
  auto whole = options;
  whole.n_best = 1;
  whole.words = true;
  require_valid(whole);
  if (options.sample) throw UsageError("alternatives: cannot be sampled; use search");
  if (count < 1 || count > 100)
    throw UsageError("alternatives: " + std::to_string(count) + " is out of range; use 1 to 100");
  const auto search = search_options(whole);
  const auto closed = closes_its_last_word(prefix) ? prefix : prefix + " ";
  const auto begun = impl_->make_job(line, {closed, {}}, whole, search, /*continues=*/true);
  if (begun.line.tokens.empty()) return {};
  const auto& planned = begun.constraints;
  const auto& parts = begun.line.parts;
  size_t part = 0;   // the part in which the prefix ends; at most the last that the model reads
  size_t place = 0;  // index of the word
  const auto add_words = [&] {
    place += parts[part].verbatim.empty()
                 ? merge_pieces(planned[part].prefix, impl_->target()).texts.size()
                 : 1;
  };
  for (; planned[part].ends || parts[part].tokens.empty(); ++part) add_words();
  add_words();
  // Several tokens may begin one word.
  const auto beginnings = likeliest_beginnings(*impl_->engine, begun.read(parts[part].tokens),
                                               planned[part], 2 * count);
  std::vector<Impl::Job> jobs;
  for (const auto& beginning : beginnings) {
    jobs.push_back(begun);
    jobs.back().constraints[part] = beginning;
    jobs.back().line.parts[part].given.unbroken = beginning.prefix.size();
    Impl::set_limits(jobs.back(), search);
  }
  return different_words(impl_->translate(jobs, whole, search), place, static_cast<size_t>(count));
}

std::vector<Translation> Translator::force_decode(const std::vector<std::string>& sources,
                                                  const std::vector<std::string>& targets,
                                                  TranslationOptions options,
                                                  size_t first_line) const {
  const TranslationOptions defaults;
  options.beam_size = options.n_best = options.diverse_groups = 1;
  options.sample = false;
  options.temperature = defaults.temperature;
  options.top_k = defaults.top_k;
  options.top_p = defaults.top_p;
  require_valid(options);
  const auto pairs = impl_->given_pairs(sources, targets, first_line);
  TokenLists decoded;
  ConstraintList constraint_list;
  for (const auto& pair : pairs) {
    if (pair.source.tokens.empty()) continue;
    decoded.push_back(pair.source_tokens);
    constraint_list.emplace_back();
    constraint_list.back().prefix = pair.target_tokens;
    constraint_list.back().ends = true;
  }
  auto found =
      impl_->engine->search(decoded, options.batch_size, search_options(options), constraint_list);
  impl_->forget_languages(decoded, found);
  const auto context = impl_->context(options);
  std::vector<Translation> translations;
  auto next = found.begin();
  for (const auto& pair : pairs) {
    Hypothesis hypothesis;
    if (!pair.source.tokens.empty()) {
      hypothesis = (next++)->front();
    } else {
      hypothesis.score = hypothesis.log_probability = pair.unread_log_probability();
    }
    translations.push_back(forced_translation(pair, hypothesis, context, options));
  }
  return translations;
}

std::vector<PairScore> Translator::score(const std::vector<std::string>& sources,
                                         const std::vector<std::string>& targets,
                                         int64_t batch_size) const {
  TranslationOptions options;
  options.batch_size = batch_size;
  require_valid(options);
  TokenLists read_sources;
  TokenLists read_targets;
  const auto pairs = impl_->given_pairs(sources, targets, 1);
  for (const auto& pair : pairs) {
    if (pair.source.tokens.empty()) continue;
    read_sources.push_back(pair.source_tokens);
    read_targets.push_back(pair.target_tokens);
  }
  const auto values = impl_->engine->score(read_sources, read_targets, batch_size);
  std::vector<PairScore> scores;
  auto next = values.begin();
  for (const auto& pair : pairs) {
    const double value = pair.source.tokens.empty() ? pair.unread_log_probability() : *next++;
    scores.push_back({value, static_cast<int64_t>(pair.target_tokens.size()) + 1});
  }
  return scores;
}

}  // namespace nmt
