#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "metrics/ngrams.h"
#include "metrics/references.h"
#include "metrics/tokenizers.h"

namespace nmt {

/// Smoothing of zero precisions (Chen and Cherry 2014).
enum class BleuSmoothing {
  kExp,    // 1/2, 1/4, … match for each order without matches
  kFloor,  // 0.1 matches instead of 0
  kAddK,   // adds 1 to matches and totals from order 2
  kNone,   // the score is 0
};

template <>
inline constexpr const char* kChoiceNames<BleuSmoothing>[] = {"exp", "floor", "add-k", "none"};

/// A tokenizer outside BleuTokenizer.
struct OtherTokenizer {
  std::string name;  // in the signature
  std::function<std::vector<std::string>(const std::string& line)> words_of;
};

struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::k13a;
  std::optional<OtherTokenizer> other_tokenizer = {};  // overrides `tokenizer`
  bool lowercase = false;
  BleuSmoothing smoothing = BleuSmoothing::kExp;
  bool effective_order = false;  // average only orders that the hypothesis has; for sentences
};

/// The program's default: sacreBLEU's (13a), unless references are written without spaces, where
/// 13a would count a sentence as a word: zh if they are Chinese and more than 1/20 of all, char if
/// they are more than half.
BleuOptions bleu_options_for(const References& references);

struct BleuScore {
  double score = 0.0;                     // 0 … 100
  std::array<double, 4> precisions = {};  // percent
  double brevity_penalty = 0.0;
  int64_t hypothesis_length = 0;  // words
  int64_t reference_length = 0;
};

/// Sufficient statistics of BLEU: counts of n-grams of 1 to 4 words. Those of a corpus are the sum
/// over its sentences.
using BleuCounts = std::array<NgramCounts, 4>;

/// `references`: at least one. The reference length is the one closest to the hypothesis's.
BleuCounts count_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                      const BleuOptions& options = {});
BleuScore bleu_of(const BleuCounts& counts, const BleuOptions& options = {});

/// BLEU (Papineni et al. 2002) of a corpus as sacreBLEU (Post 2018) computes it:
///
///   BLEU = BP · exp(1/4 Σ_n log p_n)       BP = min(1, exp(1 − reference length / hypothesis
///   length))
///
/// p_n: clipped n-gram precision. Throws Error for unequal counts.
BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const References& references,
                      const BleuOptions& options = {});

/// BLEU of one sentence, with effective order.
BleuScore sentence_bleu(const std::string& hypothesis, const std::string& reference,
                        BleuOptions options = {});

/// GLEU of one sentence (Wu et al. 2016, section 5), from 0 to 1: the matching n-grams of 1 to 4
/// words, divided by the larger of the two sides' n-gram counts. Unlike BLEU it suits single
/// sentences: a single correct word scores above 0. Tokenizes as bleu_options_for.
double sentence_gleu(const std::string& hypothesis, const std::string& reference);

/// sacreBLEU's signature: how a score was computed. `references`: References::count().
std::string bleu_signature(const BleuOptions& options, const std::string& references = "1");

}  // namespace nmt
