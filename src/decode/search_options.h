#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "text/special_tokens.h"

namespace nmt {

struct LexicalShortlist;

/// Sampling instead of search.
struct SamplingOptions {
  double temperature = 1.0;  // above 0; below 1 sharpens
  int64_t top_k = 0;         // only the k likeliest tokens; 0: all
  double top_p = 1.0;        // only the smallest set of likeliest tokens with this total
  uint64_t seed = 1;
};

/// What happened to a continuation that beam search considered.
enum class Fate { kOpen, kEnded, kPruned };

struct ConsideredCandidate {
  int64_t parent = 0;  // among the hypotheses that the last step left open
  int32_t token = 0;
  double token_log_probability = 0.0;  // given the parent
  double log_probability = 0.0;        // of all tokens
  double score = 0.0;                  // normalized for length
  Fate fate = Fate::kOpen;
};

struct SearchOptions {
  int64_t beam_size = 5;  // 1 is greedy search
  int64_t n_best = 1;     // at most beam_size, unless sampling

  /// Draws n_best independent samples instead of searching; beam_size, penalties and constraints
  /// are then unused.
  std::optional<SamplingOptions> sampling = {};

  /// Scores are divided by ((5 + length) / 6)^A (Wu et al. 2016, equation 14) or, if set, by
  /// length^A: the mean log-probability of a token for A = 1.
  bool mean_normalization = false;
  double length_penalty = 1.0;  // A; above 0 favors longer translations, 0 turns it off

  /// Maximum output length in tokens, without EOS: the smaller of the absolute limit and ratio ·
  /// source length + 10. A hypothesis that reaches it must end there.
  int64_t max_length = 512;
  double max_length_ratio = 3.0;

  /// Minimum output length in tokens, without EOS; the maximum takes precedence.
  int64_t min_length = 0;

  /// Whether hypotheses need scores and log-probabilities. Greedy search of the fused engine
  /// without constraints is faster without, as it finds only the likeliest token; scores are then
  /// 0.
  bool scores = true;

  bool attention = false;  // keep the attention weights of every hypothesis

  /// B: the score of an ended hypothesis includes B · its coverage penalty (sentence_beam.cpp).
  double coverage_penalty = 0.0;
  int64_t no_repeat_ngram = 0;  // forbids repeated n-grams of this length; 0: off

  /// Groups that share beam_size, each made to differ from the previous ones; 1 disables them.
  int64_t diverse_groups = 1;
  double diversity_strength = 0.5;

  /// Called by the fused engine's threads after each step but the last with the tokens of a
  /// sentence's likeliest open hypothesis; may be null.
  std::function<void(const std::vector<int32_t>& so_far)> watch;

  /// Called by beam search for each step of a sentence with all continuations that it considered,
  /// best first; may be null.
  std::function<void(const std::vector<ConsideredCandidate>& step)> observe;

  /// If set, only the shortlist's candidates for each sentence are considered; all other tokens
  /// have probability 0. Null: all tokens.
  const LexicalShortlist* shortlist = nullptr;

  /// Never produced. Scores stay the model's own: nothing is renormalized.
  std::vector<int64_t> suppressed_tokens = {kPadId, kUnknownId, kBosId};
};

/// Whether hypotheses need their attention weights during the search.
bool keeps_attention(const SearchOptions& options);

/// The divisor that makes log-probabilities of different lengths comparable; `length` in tokens,
/// EOS included.
double length_divisor(const SearchOptions& options, int64_t length);

/// Whether the next token of a hypothesis may be EOS.
enum class Ending { kAllowed, kForbidden, kForced };

/// The maximum number of tokens, without EOS, for the translation of a source of this length.
int64_t output_limit(const SearchOptions& options, int64_t source_length);

}  // namespace nmt
