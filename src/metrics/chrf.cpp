#include "metrics/chrf.h"

#include <utility>

#include "unicode/code_points.h"

namespace nmt {
namespace {

constexpr double kBeta = 2.0;  // weight of recall relative to precision

Symbols characters(const std::string& line) {
  Symbols codes;
  for (const char32_t code : to_code_points(line)) {
    if (!is_whitespace(code)) codes.push_back(code);
  }
  return codes;
}

bool is_ascii_punctuation(char32_t code) {
  return (code >= 33 && code <= 47) || (code >= 58 && code <= 64) || (code >= 91 && code <= 96) ||
         (code >= 123 && code <= 126);
}

// Splits off a punctuation mark at the end of a word, or else at its start.
std::vector<std::string> chrf_words(const std::string& line) {
  std::vector<std::string> words;
  for (const auto& word : split_whitespace(line)) {
    const auto codes = to_code_points(word);
    if (codes.size() > 1 && is_ascii_punctuation(codes.back())) {
      words.push_back(to_utf8(codes.substr(0, codes.size() - 1)));
      words.push_back(to_utf8(codes.substr(codes.size() - 1)));
    } else if (codes.size() > 1 && is_ascii_punctuation(codes.front())) {
      words.push_back(to_utf8(codes.substr(0, 1)));
      words.push_back(to_utf8(codes.substr(1)));
    } else {
      words.push_back(word);
    }
  }
  return words;
}

ChrfCounts count_pair(const std::string& hypothesis, const std::string& reference,
                      const ChrfOptions& options) {
  ChrfCounts counts;
  const auto add = [&](const Symbols& ours, const Symbols& theirs, int64_t max_order) {
    for (size_t n = 1; n <= static_cast<size_t>(max_order); ++n) {
      auto count = count_ngrams(ours, {theirs}, n);
      // Orders without n-grams in the reference do not count.
      if (count.reference == 0) count.hypothesis = 0;
      counts.push_back(count);
    }
  };
  add(characters(hypothesis), characters(reference), kChrfCharOrder);
  if (options.word_order == 0) return counts;
  const auto words = number_words({chrf_words(hypothesis), chrf_words(reference)});
  add(words[0], words[1], options.word_order);
  return counts;
}

}  // namespace

ChrfCounts count_chrf(const std::string& hypothesis, const std::vector<std::string>& references,
                      const ChrfOptions& options) {
  const auto prepared = [&](const std::string& line) {
    return options.lowercase ? to_lower(line) : line;
  };
  ChrfCounts best;
  for (const auto& reference : references) {
    auto counts = count_pair(prepared(hypothesis), prepared(reference), options);
    if (best.empty() || chrf_of(counts) > chrf_of(best)) best = std::move(counts);
  }
  return best;
}

double chrf_of(const ChrfCounts& counts) {
  double precision = 0.0;
  double recall = 0.0;
  int orders = 0;
  for (const auto& count : counts) {
    if (count.hypothesis == 0 || count.reference == 0) continue;
    precision += static_cast<double>(count.matches) / static_cast<double>(count.hypothesis);
    recall += static_cast<double>(count.matches) / static_cast<double>(count.reference);
    ++orders;
  }
  if (orders == 0 || precision + recall == 0) return 0.0;
  precision /= orders;
  recall /= orders;
  constexpr double kFactor = kBeta * kBeta;
  return 100 * (1 + kFactor) * precision * recall / (kFactor * precision + recall);
}

double corpus_chrf(const std::vector<std::string>& hypotheses, const References& references,
                   const ChrfOptions& options) {
  require_pairs(hypotheses, references);
  ChrfCounts counts(static_cast<size_t>(kChrfCharOrder + options.word_order));
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    const auto sentence = count_chrf(hypotheses[i], references.of(i), options);
    for (size_t n = 0; n < counts.size(); ++n) counts[n] += sentence[n];
  }
  return chrf_of(counts);
}

std::string chrf_signature(const ChrfOptions& options, const std::string& references) {
  return "nrefs:" + references + "|case:" + (options.lowercase ? "lc" : "mixed") +
         "|eff:yes|nc:" + std::to_string(kChrfCharOrder) +
         "|nw:" + std::to_string(options.word_order) + "|space:no|version:" + kSacrebleuVersion;
}

}  // namespace nmt
