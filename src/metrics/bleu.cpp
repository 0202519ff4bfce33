#include "metrics/bleu.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "unicode/code_points.h"
#include "unicode/scripts.h"

namespace nmt {
namespace {

constexpr size_t kMaxOrder = 4;

std::vector<std::string> prepare(const std::string& line, const BleuOptions& options) {
  const auto text = options.lowercase ? to_lower(line) : line;
  return options.other_tokenizer ? options.other_tokenizer->words_of(text)
                                 : tokenize(text, options.tokenizer);
}

double smoothing_value(const BleuOptions& options) {
  return options.smoothing == BleuSmoothing::kFloor ? 0.1 : 1.0;
}

double brevity_penalty(int64_t hypothesis_length, int64_t reference_length) {
  if (hypothesis_length >= reference_length) return 1.0;
  if (hypothesis_length == 0) return 0.0;
  return std::exp(1.0 -
                  static_cast<double>(reference_length) / static_cast<double>(hypothesis_length));
}

/// The reference length closest to `length`; the shorter in a tie.
size_t closest_length(size_t length, const std::vector<Symbols>& references) {
  const auto distance = [&](const Symbols& reference) {
    const size_t other = reference.size();
    return std::make_pair(std::max(length, other) - std::min(length, other), other);
  };
  return std::min_element(
             references.begin(), references.end(),
             [&](const auto& one, const auto& two) { return distance(one) < distance(two); })
      ->size();
}

/// Fills score.precisions; returns the number of orders to average.
size_t smoothed_precisions(const BleuCounts& counts, const BleuOptions& options, BleuScore& score) {
  size_t effective_order = kMaxOrder;
  double halving = 1.0;
  for (size_t n = 1; n <= kMaxOrder; ++n) {
    const double added =
        options.smoothing == BleuSmoothing::kAddK && n > 1 ? smoothing_value(options) : 0;
    const double matches = static_cast<double>(counts[n - 1].matches) + added;
    const double total = static_cast<double>(counts[n - 1].hypothesis) + added;
    if (total == 0) break;
    if (options.effective_order) effective_order = n;
    double& precision = score.precisions[n - 1];
    if (matches > 0) {
      precision = 100 * matches / total;
    } else if (options.smoothing == BleuSmoothing::kExp) {
      halving *= 2;
      precision = 100 / (halving * total);
    } else if (options.smoothing == BleuSmoothing::kFloor) {
      precision = 100 * smoothing_value(options) / total;
    }
  }
  return effective_order;
}

std::string smoothing_text(const BleuOptions& options) {
  const auto name = choice_name(options.smoothing);
  const bool has_value =
      options.smoothing == BleuSmoothing::kFloor || options.smoothing == BleuSmoothing::kAddK;
  return has_value ? fmt::format("{}[{:.2f}]", name, smoothing_value(options)) : name;
}

}  // namespace

BleuOptions bleu_options_for(const References& references) {
  constexpr double kMostlyHan = 0.75;  // Japanese has more kana
  constexpr size_t kSome = 20;         // threshold: one line in this many
  size_t lines = 0;
  size_t unspaced_lines = 0;
  size_t unspaced = 0;  // characters
  size_t han = 0;
  for (size_t line = 0; line < references.num_lines(); ++line) {
    for (const auto& reference : references.of(line)) {
      const auto codes = to_code_points(reference);
      const auto count =
          static_cast<size_t>(std::count_if(codes.begin(), codes.end(), is_written_without_spaces));
      lines += codes.empty() ? 0 : 1;
      unspaced_lines += 2 * count > codes.size() ? 1 : 0;
      unspaced += count;
      for (const char32_t code : codes) han += script_of(code) == Script::kHan ? 1 : 0;
    }
  }
  BleuOptions options;
  const bool chinese = static_cast<double>(han) > kMostlyHan * static_cast<double>(unspaced);
  if (chinese && kSome * unspaced_lines > lines) {
    options.tokenizer = BleuTokenizer::kZh;  // splits other scripts like 13a
  } else if (2 * unspaced_lines > lines) {
    options.tokenizer = BleuTokenizer::kChar;
  }
  return options;
}

BleuCounts count_bleu(const std::string& hypothesis, const std::vector<std::string>& references,
                      const BleuOptions& options) {
  std::vector<std::vector<std::string>> lines = {prepare(hypothesis, options)};
  for (const auto& reference : references) lines.push_back(prepare(reference, options));
  auto numbered = number_words(lines);
  const auto words = std::move(numbered.front());
  numbered.erase(numbered.begin());
  const size_t length = closest_length(words.size(), numbered);
  BleuCounts counts;
  for (size_t n = 1; n <= kMaxOrder; ++n) {
    counts[n - 1] = count_ngrams(words, numbered, n);
    counts[n - 1].reference = static_cast<int64_t>(length - std::min(length, n - 1));
  }
  return counts;
}

BleuScore bleu_of(const BleuCounts& counts, const BleuOptions& options) {
  BleuScore score;
  score.hypothesis_length = counts[0].hypothesis;
  score.reference_length = counts[0].reference;
  score.brevity_penalty = brevity_penalty(score.hypothesis_length, score.reference_length);
  const bool any = std::any_of(counts.begin(), counts.end(),
                               [](const NgramCounts& order) { return order.matches > 0; });
  if (!any) return score;
  const size_t orders = smoothed_precisions(counts, options, score);
  double log_sum = 0.0;
  for (size_t n = 0; n < orders; ++n) {
    if (score.precisions[n] == 0.0) return score;
    log_sum += std::log(score.precisions[n]);
  }
  score.score = score.brevity_penalty * std::exp(log_sum / static_cast<double>(orders));
  return score;
}

BleuScore corpus_bleu(const std::vector<std::string>& hypotheses, const References& references,
                      const BleuOptions& options) {
  require_pairs(hypotheses, references);
  BleuCounts counts;
  for (size_t i = 0; i < hypotheses.size(); ++i) {
    const auto sentence = count_bleu(hypotheses[i], references.of(i), options);
    for (size_t n = 0; n < kMaxOrder; ++n) counts[n] += sentence[n];
  }
  return bleu_of(counts, options);
}

BleuScore sentence_bleu(const std::string& hypothesis, const std::string& reference,
                        BleuOptions options) {
  options.effective_order = true;
  return bleu_of(count_bleu(hypothesis, {reference}, options), options);
}

double sentence_gleu(const std::string& hypothesis, const std::string& reference) {
  int64_t matches = 0;
  int64_t hypothesis_ngrams = 0;
  int64_t reference_ngrams = 0;
  for (const auto& order : count_bleu(hypothesis, {reference}, bleu_options_for({reference}))) {
    matches += order.matches;
    hypothesis_ngrams += order.hypothesis;
    reference_ngrams += order.reference;
  }
  const int64_t most = std::max(hypothesis_ngrams, reference_ngrams);
  return most == 0 ? 0.0 : static_cast<double>(matches) / static_cast<double>(most);
}

std::string bleu_signature(const BleuOptions& options, const std::string& references) {
  return "nrefs:" + references + "|case:" + (options.lowercase ? "lc" : "mixed") +
         "|eff:" + (options.effective_order ? "yes" : "no") + "|tok:" +
         (options.other_tokenizer ? options.other_tokenizer->name
                                  : choice_name(options.tokenizer)) +
         "|smooth:" + smoothing_text(options) + "|version:" + kSacrebleuVersion;
}

}  // namespace nmt
