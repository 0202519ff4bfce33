#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#if defined(__GNUC__)
#define NMT_PUBLIC __attribute__((visibility("default")))
#else
#define NMT_PUBLIC
#endif

namespace nmt {

// What a program that translates includes. Needs the standard library alone:
//
//   nmt::Translator translator({{"models/sample"}});
//   for (const auto& translation : translator.translate({"저는 책을 읽어요."})) {
//     std::cout << translation.text << '\n';
//   }

struct TranslatorOptions {
  /// Model directories or packed files; several are an ensemble and must share their vocabularies.
  std::vector<std::filesystem::path> model_dirs;
  std::string device = "cpu";   // cpu, cuda or cuda:N
  int threads = 0;              // of this process; 0: one for each core
  std::string engine = "auto";  // plain (LibTorch, any device), fused (the same by hand, faster,
                                // one model on a CPU) or auto (fused where it can be)
  std::string precision = "float32";  // of the fused engine's weights; int8 is faster, less exact
};

struct TranslationOptions {
  // What is found.
  int64_t beam_size = 5;                    // 1 is greedy search; at most 1000
  int64_t n_best = 1;                       // at most beam_size, unless sampling
  std::string length_normalization = "wu";  // none, wu (Wu et al. 2016) or mean
  double length_penalty = 1.0;              // above 0 favours longer translations
  int64_t max_length = 512;                 // of a translation, in tokens
  int64_t min_length = 0;                   // likewise
  double max_length_ratio = 3.0;            // and in tokens for each source token, 10 more allowed
  int64_t max_source_length = 100;          // in tokens; longer lines are translated in parts

  // Sampling instead of search.
  bool sample = false;
  double temperature = 1.0;
  int64_t top_k = 0;   // 0: all tokens
  double top_p = 1.0;  // 1: all tokens
  uint64_t seed = 1;

  // What it costs.
  int64_t batch_size = 64;  // sentences

  bool attention = false;  // fill TranslationCandidate::attention
};

/// Throws UsageError when an option is out of range; translate() asks this too.
NMT_PUBLIC void require_valid(const TranslationOptions& options);

struct TranslationCandidate {
  std::string text;
  double score = 0.0;  // log-probability normalised for length: what candidates are ranked by
  double log_probability = 0.0;  // natural log, end of sentence included
  std::vector<std::string> tokens;
  std::vector<double> token_log_probabilities;  // one for each token, and one for the end
  std::vector<std::vector<float>> attention;    // a row for each token and one for the end; a
                                                // weight for each source token
};

struct Translation {
  std::string text;  // of the best candidate
  std::vector<std::string> source_tokens;
  std::vector<TranslationCandidate> candidates;  // best first, at least one
};

struct PairScore {
  double log_probability = 0.0;  // natural log of p(target | source), end of sentence included
  int64_t num_tokens = 0;        // of the target, end of sentence included
};

/// Translates raw text with a trained model. Loading is done once, by the constructor.
class NMT_PUBLIC Translator {
 public:
  /// Throws nmt::Error (a std::runtime_error) with one clear line when a model cannot be loaded.
  explicit Translator(const TranslatorOptions& options);
  ~Translator();
  Translator(Translator&&) noexcept;
  Translator& operator=(Translator&&) noexcept;

  /// One translation for each line, in order. An empty line has an empty translation; bytes that
  /// are not UTF-8 are read as U+FFFD.
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const TranslationOptions& options = {}) const;

  /// How likely the model finds each target as translation of its source. Throws Error when there
  /// are unequal numbers of them, for a text of over 2000 tokens, or for an ensemble.
  std::vector<PairScore> score(const std::vector<std::string>& sources,
                               const std::vector<std::string>& targets,
                               int64_t batch_size = 64) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
