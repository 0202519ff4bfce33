#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#define NMT_PUBLIC __attribute__((visibility("default")))
#else
#define NMT_PUBLIC
#endif

namespace nmt {

struct SentenceHints;  // text/sentence_splitter.h

// The header for programs that translate. Includes only the standard library:
//
//   nmt::Translator translator({{"models/sample"}});
//   for (const auto& translation : translator.translate({"저는 책을 읽어요."})) {
//     std::cout << translation.text << '\n';
//   }

enum class TranslationEngine {
  kAuto,   // fused where it supports the models, otherwise plain
  kPlain,  // LibTorch: any model, any device
  kFused,  // hand-written and faster, on a CPU
};

/// kInt8 and kBfloat16 are faster and less exact.
enum class TranslationPrecision {
  kFloat32,
  kInt8,      // the fused engine's weights
  kBfloat16,  // the plain engine's weights and states, on a GPU
};

/// The divisor of log-probabilities that ranks candidates of different lengths.
enum class ScoreNormalization {
  kWu,    // ((5 + length) / 6)^length_penalty (Wu et al. 2016)
  kMean,  // length^length_penalty
};

/// The unit of a line that is translated by itself.
enum class LineSplit {
  kModel,      // kSentences, or kNone for a model trained on paragraphs
  kNone,       // the line, up to 2000 tokens
  kSentences,  // each sentence, as models trained on single sentences need
};

struct TranslatorOptions {
  /// Model directories or packed files; several are an ensemble and must share their vocabularies.
  std::vector<std::filesystem::path> model_dirs;
  std::string device = "cpu";  // cpu, cuda or cuda:N
  int threads = 0;             // of this process; 0 uses one for each core
  TranslationEngine engine = TranslationEngine::kAuto;
  TranslationPrecision precision = TranslationPrecision::kFloat32;
  /// Maximum concurrent callers, at most `threads`, which they share; further ones wait. 0: one for
  /// each thread. The plain engine has one.
  int callers = 1;

  /// A language model with the target's vocabulary, for shallow fusion: its directory or packed
  /// file; empty: none. Scores and log-probabilities of candidates are then
  /// log p(y|x) + weight · log p_LM(y).
  std::filesystem::path language_model = {};
  double language_model_weight = 0.2;  // from 0 to 100; other values need language_model

  /// Weights of the ensemble's models, one each, applied to their probabilities; only ratios
  /// matter. Empty: equal weights.
  std::vector<double> model_weights = {};

  /// A file of tab-separated source and target terms; empty: none.
  std::filesystem::path terms = {};

  /// A file written by `nmt shortlist`: restricts the search to target tokens that may translate
  /// the sentence's tokens. Faster; few translations change. Empty: all tokens. Not used by
  /// score().
  std::filesystem::path shortlist = {};

  /// Target language, such as "de", for a model with several. Empty: each line names its own, e.g.
  /// by starting with "<2de> ".
  std::string target_language = {};
};

struct TranslationOptions {
  // Search.
  int64_t beam_size = 5;  // 1 is greedy search; at most 1000
  int64_t n_best = 1;     // at most beam_size, or 1000 when sampling
  bool distinct = true;   // keep only the best of hypotheses with equal text
  ScoreNormalization length_normalization = ScoreNormalization::kWu;
  double length_penalty = 1.0;    // above 0 favors longer translations, 0 turns it off
  int64_t max_length = 512;       // of a translation, in tokens
  int64_t min_length = 0;         // of a translation, in tokens
  double max_length_ratio = 3.0;  // maximum target tokens: this times source tokens, plus 10
  LineSplit split = LineSplit::kModel;
  int64_t max_source_length = 100;  // in tokens; longer units are split
  bool pass_through = false;  // copy sentences that are in the target language already; not in
                              // lines with constraints

  // Sampling instead of search; ignores beam_size. temperature, top_k and top_p must keep their
  // defaults without it.
  bool sample = false;
  double temperature = 1.0;
  int64_t top_k = 0;   // 0: all tokens
  double top_p = 1.0;  // 1: all tokens
  uint64_t seed = 1;

  int64_t batch_size = 64;  // sentences

  // Penalties and constraints, not with sampling. See docs/decoding.md.
  int64_t no_repeat_ngram = 0;      // blocks repeated n-grams of this length; 0 disables it
  double coverage_penalty = 0.0;    // above 0 favors attending to the whole source
  int64_t diverse_groups = 1;       // groups that share beam_size; more than 1 diversifies the list
  double diversity_strength = 0.5;  // penalty for tokens that earlier groups chose
  bool copy_unknown = true;         // copy words with unknown letters; also when sampling
  bool recase = true;  // read ALL CAPS and Title Case as ordinary text; ALL CAPS stays so in the
                       // translation; not with constraints

  // Output.
  bool scores = true;      // false: greedy search may leave scores 0, up to twice as fast
  bool attention = false;  // TranslationCandidate::attention
  bool words = false;      // words with their scores and alignments, and warnings
};

/// Whether all options are equal. Sentences may then share a batch.
NMT_PUBLIC bool operator==(const TranslationOptions& a, const TranslationOptions& b);

/// Constraints on the translation of one line. In a line of several sentences, the prefix's
/// sentences are the translations of the line's first sentences in turn; a sentence is then split
/// only above 2000 tokens. Emoji and addresses that the model does not read are copied as usual;
/// the prefix may repeat those before a sentence.
struct TranslationConstraints {
  /// The translation begins with this text, with spaces normalized. Unless the prefix ends with a
  /// space, its last word may be continued: "The ma" can become "The man". Like phrases, ignored
  /// for a line that the model does not read.
  std::string prefix;
  std::vector<std::string> phrases;  // whole words or phrases that must occur, in any order
  /// Byte ranges [first, second) of the line, in order, such as placeholders: the model does not
  /// read them, and the translation copies them. Ignored for a line with invalid UTF-8 or soft
  /// hyphens.
  std::vector<std::pair<size_t, size_t>> copied = {};
};

/// Throws UsageError when an option is out of range or needs another; so does translate().
NMT_PUBLIC void require_valid(const TranslationOptions& options);

/// Aligned words, counted from 0.
struct WordLink {
  int64_t source = 0;
  int64_t target = 0;
};

struct TranslationCandidate {
  std::string text;
  double score = 0.0;            // length-normalized log-probability; of several sentences the sum
  double log_probability = 0.0;  // natural log, end of sentence included
  std::vector<std::string> tokens;
  // Both are empty for a line that the model does not read: empty, without letters, only addresses,
  // or passed through. Attention is also empty for a model without it and for over 2048 source
  // tokens.
  std::vector<double> token_log_probabilities;  // one for each token, and one for the end
  std::vector<std::vector<float>> attention;    // a row for each token and one for the end; a
                                                // weight for each source token

  /// With TranslationOptions::scores: the expected sentence chrF2 divided by 100, from 0 to 1,
  /// calibrated on the validation set; for several sentences the mean, weighted by length. None for
  /// a line that the model does not read, ensembles, samples, with a language model, and for a
  /// model without calibration (nmt calibrate).
  std::optional<double> confidence = {};

  // With TranslationOptions::words. word_attention is empty for over 2048 source words.
  std::vector<std::string> words = {};
  std::vector<double> word_log_probabilities = {};      // one for each word, and one for the end
  std::vector<std::vector<float>> word_attention = {};  // [words, source words]
  std::vector<WordLink> alignment = {};    // for each word, the source word with the most attention
  std::vector<std::string> warnings = {};  // KIND: …, docs/ordinary-text.md

  bool untranslated = false;  // the model found no words for the line, so its text is the source's
};

/// A term of TranslatorOptions::terms in a line.
struct TermMatch {
  std::string source;  // the source words that match it, as written
  std::string target;
};

struct Translation {
  std::string text;  // of the best candidate
  std::vector<std::string> source_tokens;
  std::vector<TranslationCandidate> candidates;  // best first, at least one
  bool passed_through = false;  // the model reads nothing of the line; it is unchanged
  std::vector<TermMatch> terms = {};

  /// Whether the translation has the term's target.
  bool has(const TermMatch& term) const { return text.find(term.target) != std::string::npos; }

  // With TranslationOptions::words.
  std::vector<std::string> source_words = {};
  std::vector<std::string> unknown_words = {};  // source words with unknown characters
  double unknown_share = 0.0;                   // share of the source tokens that are unknown
  double foreign_share = 0.0;  // share of the source letters in scripts unknown to the model
};

/// An alternative to a word of a translation.
struct Alternative {
  std::string word;          // with attached punctuation
  std::string text;          // the whole translation with this word
  double probability = 0.0;  // of the word given the prefix
};

/// Receives the translation so far while it grows.
using TextWatch = std::function<void(const std::string& so_far)>;

struct PairScore {
  double log_probability = 0.0;  // natural log of p(target | source), end of sentence included
  int64_t num_tokens = 0;        // of the target, end of sentence included
};

/// Translates raw text with a trained model, which the constructor loads.
class NMT_PUBLIC Translator {
 public:
  /// Throws nmt::Error (a std::runtime_error) with one clear line when a model cannot be loaded.
  explicit Translator(const TranslatorOptions& options);
  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  /// Maximum concurrent callers; further ones wait.
  int callers() const;

  /// Code of the source language, such as "ko"; "" if unknown or if the model has several target
  /// languages.
  const std::string& source_language() const;

  /// Codes of all languages that the model was trained to translate from into target_language().
  const std::vector<std::string>& source_languages() const;

  /// Code of the language that the model translates into, such as "en"; "" if unknown.
  const std::string& target_language() const;

  /// Codes of the target languages of a model with several; otherwise empty.
  const std::vector<std::string>& target_languages() const;

  /// Whether the model reads tokens of another toolkit (text/word_vocabulary.h), not text.
  bool reads_tokens() const;

  /// Whether the source vocabulary has met such tags or character references in its training: it
  /// has pieces for all of this one, not only for its characters.
  bool reads_markup(const std::string& markup) const;

  /// The script, such as "Latin", of a text whose letters are mostly in scripts that the training
  /// text lacks; "other" for one without a name, "" for other texts.
  std::string foreign_script(const std::string& text) const;

  /// For a model with several target languages and without TranslatorOptions::target_language:
  /// throws Error for a line that names none of them. The message has the file, if any, the line's
  /// number, counted from `first_line`, and `option`, if any.
  void require_languages(const std::vector<std::string>& lines, const std::string& file,
                         const std::string& option = "--to where the command has it",
                         size_t first_line = 1) const;

  /// Throws Error that names the model unless it has attention, which alignments need.
  void require_attention() const;

  /// Targets in the form that translations have: text instead of the tokens that an imported model
  /// reads (docs/export.md). Other lines are returned as they are.
  std::vector<std::string> as_translated(std::vector<std::string> targets) const;

  /// Whether the targets are text where score() and force_decode() read tokens, as those of an
  /// imported model do: joined words are unknown to it.
  bool misreads(const std::vector<std::string>& targets) const;

  /// What LineSplit::kModel stands for with this model.
  LineSplit default_split() const;

  /// The hints by which split_text() finds sentences as the model knows them.
  const SentenceHints& sentence_hints() const;

  /// SHA-256 of everything that the constructor loaded, by name: "the model" (settings,
  /// vocabularies, weights and calibrations of all models, ensemble weights) and, if given, "the
  /// language model", "the terms" and "the shortlist". Reads all weights, so it is slow for large
  /// models.
  std::map<std::string, std::string> fingerprint() const;

  /// Translates each line. An empty line has an empty translation; sentences without letters are
  /// returned unchanged, unless the source vocabulary has no letters. Invalid UTF-8 is read as
  /// U+FFFD. `constraint_list`: empty, or one entry per line. Throws Error for constraints with
  /// unknown characters or over 2000 tokens.
  std::vector<Translation> translate(
      const std::vector<std::string>& lines, const TranslationOptions& options = {},
      const std::vector<TranslationConstraints>& constraint_list = {}) const;

  /// Translates one line. `watch`, which may be empty, receives the text of the likeliest open
  /// hypothesis after every step that changes it, and finally the translation. It may be called
  /// from any thread, one at a time; an exception from it ends the translation. It must not call
  /// this translator, which may wait for the translation (callers()). The plain engine
  /// reports only whole parts of a line.
  Translation translate(const std::string& line, const TranslationOptions& options,
                        const TranslationConstraints& constraints, const TextWatch& watch) const;

  /// The `count` (1 to 100) likeliest different words after `prefix`, which must consist of whole
  /// words; best first, each with its translation. Of words that begin with the same token, only
  /// the likeliest is found. Empty for an empty line. Throws Error as for constraints.
  std::vector<Alternative> alternatives(const std::string& line, const std::string& prefix,
                                        int64_t count,
                                        const TranslationOptions& options = {}) const;

  /// Forced decoding: returns each target as the only candidate of its source, with words and
  /// attention as requested, and scored with the language model. Ignores beam_size, n_best,
  /// diverse_groups and sampling. Words are those between spaces; lines are not split. With an
  /// empty source, the log-probability is −∞ unless the target is empty too. Throws Error as
  /// score() does; `first_line` is the first pair's number in messages.
  std::vector<Translation> force_decode(const std::vector<std::string>& sources,
                                        const std::vector<std::string>& targets,
                                        TranslationOptions options = {},
                                        size_t first_line = 1) const;

  /// Scores each target as the translation of its source, without a language model. Throws Error
  /// for unequal numbers of sources and targets and for a text of over 2000 tokens, UsageError for
  /// a batch_size outside 1 to 100000.
  std::vector<PairScore> score(const std::vector<std::string>& sources,
                               const std::vector<std::string>& targets,
                               int64_t batch_size = 64) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
