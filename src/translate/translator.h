#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#if defined(__GNUC__)
#define NMT_PUBLIC __attribute__((visibility("default")))
#else
#define NMT_PUBLIC
#endif

namespace nmt {

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

/// Of the fused engine's weights; int8 is faster and less exact.
enum class TranslationPrecision { kFloat32, kInt8 };

/// What a log-probability is divided by to rank candidates of different lengths.
enum class ScoreNormalization {
  kWu,    // ((5 + length) / 6)^length_penalty (Wu et al. 2016)
  kMean,  // length^length_penalty
};

/// What of a line is translated by itself.
enum class LineSplit {
  kModel,      // kSentences, or kNone for a model trained on paragraphs
  kNone,       // the line, up to 2000 tokens
  kSentences,  // each sentence; models trained on single sentences know nothing else
  kLength,     // the line, or parts of those above max_source_length
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
  double language_model_weight = 0.2;  // from 0 to 100; another one needs a language model

  /// Of the probabilities of an ensemble's models, one for each; only their ratios count. Empty:
  /// equal weights.
  std::vector<double> model_weights = {};

  /// A file of words or phrases and their translations, a tab between the two; empty: none.
  std::filesystem::path terms = {};

  /// A file of nmt shortlist: only target tokens that may translate those of the sentence are
  /// considered, which is faster and changes few translations; empty: all. Not in score().
  std::filesystem::path shortlist = {};

  /// Of a model that translates into several, the language of the translations, such as "de".
  /// Empty: each line names its own by beginning with e.g. "<2de> ".
  std::string target_language = {};
};

struct TranslationOptions {
  // Search.
  int64_t beam_size = 5;  // 1 is greedy search; at most 1000
  int64_t n_best = 1;     // at most beam_size, or 1000 when sampling
  bool distinct = true;   // of hypotheses that search finds for one text, only the best
  ScoreNormalization length_normalization = ScoreNormalization::kWu;
  double length_penalty = 1.0;    // above 0 favors longer translations, 0 turns it off
  int64_t max_length = 512;       // of a translation, in tokens
  int64_t min_length = 0;         // of a translation, in tokens
  double max_length_ratio = 3.0;  // target tokens for each source token, with 10 more allowed
  LineSplit split = LineSplit::kModel;
  int64_t max_source_length = 100;  // in tokens; what is longer is translated in parts
  bool pass_through = false;        // return sentences that are in the target language already
                                    // unchanged; not of lines with constraints

  // Sampling instead of search. Ignores beam_size; without it, the next three keep their defaults.
  bool sample = false;
  double temperature = 1.0;
  int64_t top_k = 0;   // 0: all tokens
  double top_p = 1.0;  // 1: all tokens
  uint64_t seed = 1;

  int64_t batch_size = 64;  // sentences

  // Penalties and constraints, not with sampling. See docs/decoding.md.
  int64_t no_repeat_ngram = 0;      // blocks repeated n-grams of this length; 0 disables it
  double coverage_penalty = 0.0;    // above 0 favors attending to the whole source
  int64_t diverse_groups = 1;       // that share beam_size, for more diverse n-best lists
  double diversity_strength = 0.5;  // penalty for tokens that earlier groups chose
  bool copy_unknown = true;         // copy words in unknown letters; with sampling too
  bool recase = true;  // translate ALL CAPS and Title Case as ordinary text, the former
                       // to ALL CAPS; not with constraints

  // Output.
  bool scores = true;      // false: greedy search may leave them 0 and be twice as fast
  bool attention = false;  // TranslationCandidate::attention
  bool words = false;      // words with their scores and alignments, and warnings
};

/// Whether all options are equal: sentences may then share a batch.
NMT_PUBLIC bool operator==(const TranslationOptions& a, const TranslationOptions& b);

/// Constraints on the translation of one line. With several sentences, those of the prefix are the
/// translations of the line's first ones in turn, which are then split above 2000 tokens only.
/// Emoji and addresses that the model does not read are taken over as without a prefix, which may
/// repeat those before a sentence.
struct TranslationConstraints {
  /// The translation begins with this text, its spaces normalized. Unless it ends with a space, its
  /// last word may be continued: "The ma" can become "The man". Ignored, as phrases are, for a line
  /// that the model does not read.
  std::string prefix;
  std::vector<std::string> phrases;  // whole words or phrases that must occur, in any order
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
  double score = 0.0;            // length-normalized log-probability, by which they are ranked; of
                                 // several sentences the sum
  double log_probability = 0.0;  // natural log, end of sentence included
  std::vector<std::string> tokens;
  // Both empty for a line that the model does not read: empty, without letters, only addresses,
  // passed through. Attention also of a model without it, and of over 2048 source tokens.
  std::vector<double> token_log_probabilities;  // one for each token, and one for the end
  std::vector<std::vector<float>> attention;    // a row for each token and one for the end; a
                                                // weight for each source token

  /// With TranslationOptions::scores: from 0 to 1, the sentence chrF2 to expect, divided by 100, as
  /// calibrated on the validation set; of several sentences the mean, weighted by their lengths.
  /// None for a line that the model does not read, an ensemble, a sample, with a language model,
  /// and for a model without calibration (nmt calibrate).
  std::optional<double> confidence = {};

  // With TranslationOptions::words.
  std::vector<std::string> words = {};
  std::vector<double> word_log_probabilities = {};      // one for each word, and one for the end
  std::vector<std::vector<float>> word_attention = {};  // a row for each word; a weight for each
                                                        // source word; none above 2²² weights
  std::vector<WordLink> alignment = {};    // of each word: the source word with most attention
  std::vector<std::string> warnings = {};  // KIND: …, docs/ordinary-text.md
};

struct Translation {
  std::string text;  // of the best candidate
  std::vector<std::string> source_tokens;
  std::vector<TranslationCandidate> candidates;  // best first, at least one
  bool passed_through = false;  // the model reads nothing of it: all of it is unchanged

  // With TranslationOptions::words.
  std::vector<std::string> source_words = {};
  std::vector<std::string> unknown_words = {};  // of these: have characters that the model lacks
  double unknown_share = 0.0;                   // of the source tokens: unknown
  double foreign_share = 0.0;  // of the source letters: of scripts that the training text lacks
};

/// An alternative to a word of a translation.
struct Alternative {
  std::string word;          // with the punctuation that is written to it
  std::string text;          // the whole translation that it leads to
  double probability = 0.0;  // of the word after the prefix
};

/// Receives the beginning of a growing translation.
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

  /// Code of the language that the model translates from, such as "ko"; "" if unknown and for a
  /// model that translates into several.
  const std::string& source_language() const;

  /// Codes of all languages that the model was trained to translate from into target_language().
  const std::vector<std::string>& source_languages() const;

  /// Code of the language that the model translates into, such as "en"; "" if unknown.
  const std::string& target_language() const;

  /// Codes of the languages of a model that translates into several; otherwise none.
  const std::vector<std::string>& target_languages() const;

  /// The script, such as "Latin", of a text whose letters are mostly in scripts that the training
  /// text lacks; "other" for one without a name, "" for other texts.
  std::string foreign_script(const std::string& text) const;

  /// Throws Error with file and line, from `first_line`, for a line that names no language of a
  /// model that translates into several, unless TranslatorOptions::target_language is given. The
  /// message names `option`.
  void require_languages(const std::vector<std::string>& lines, const std::string& file,
                         const std::string& option = "--to where the command has it",
                         size_t first_line = 1) const;

  /// Throws Error that names the model unless it has attention, which alignments are read from.
  void require_attention() const;

  /// What LineSplit::kModel is.
  LineSplit default_split() const;

  /// Words that the model's training text begins sentences with where no mark ends the one before
  /// (text/sentence_splitter.h).
  const std::set<std::string, std::less<>>& sentence_starters() const;

  /// SHA-256 of what the constructor loaded: settings, vocabularies, weights and calibrations of
  /// the models, their weights in the ensemble, the language model, terms and shortlist. Reads all
  /// weights.
  std::string fingerprint() const;

  /// Translates each line. An empty line has an empty translation; sentences without letters are
  /// returned unchanged, unless the source vocabulary has no letters. Bytes that are not UTF-8 are
  /// read as U+FFFD. `constraint_list`: empty, or one for each line. Throws Error for constraints
  /// with characters unknown to the model, and when they exceed 2000 tokens.
  std::vector<Translation> translate(
      const std::vector<std::string>& lines, const TranslationOptions& options = {},
      const std::vector<TranslationConstraints>& constraint_list = {}) const;

  /// Translates one line. `watch`, which may be empty, receives the text of the likeliest open
  /// hypothesis after every step that changes it; its last text, and of an empty line the only one,
  /// is the translation. It is called by any thread, one at a time; an exception from it ends the
  /// translation. The plain engine reports only whole parts of a line.
  Translation translate(const std::string& line, const TranslationOptions& options,
                        const TranslationConstraints& constraints, const TextWatch& watch) const;

  /// The `count` (1 to 100) likeliest different words that may follow `prefix`, which must be whole
  /// words; best first, each with its translation. None for an empty line. Of words that begin with
  /// the same token, only the likeliest is found. Throws Error as for constraints.
  std::vector<Alternative> alternatives(const std::string& line, const std::string& prefix,
                                        int64_t count,
                                        const TranslationOptions& options = {}) const;

  /// Forced decoding: each target as the only candidate of its source, with what the options ask of
  /// its words and attention, and with the language model; beam_size, n_best, diverse_groups and
  /// sampling are ignored. Its words are those between spaces; the line is not split. Without a
  /// source, its log-probability is −∞ unless it is empty too. Throws Error as score() does;
  /// `first_line` is the number that its message gives the first pair.
  std::vector<Translation> force_decode(const std::vector<std::string>& sources,
                                        const std::vector<std::string>& targets,
                                        TranslationOptions options = {},
                                        size_t first_line = 1) const;

  /// Scores each target as the translation of its source, without a language model. Throws Error
  /// for unequal numbers of them and for a text of over 2000 tokens, UsageError for a batch_size
  /// outside 1 to 100000.
  std::vector<PairScore> score(const std::vector<std::string>& sources,
                               const std::vector<std::string>& targets,
                               int64_t batch_size = 64) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
