#include "compare/comparison.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <functional>

#include "errors/counted.h"
#include "files/json.h"
#include "files/line_reader.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/ngrams.h"
#include "metrics/references.h"
#include "metrics/ter.h"
#include "text/target_languages.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;
using CountSentence =
    std::function<SentenceCounts(const std::string& hypothesis, const std::string& reference)>;

constexpr size_t kCountsOfOrder = 3;
constexpr const char* kSentenceMetric = "chrF2";

struct Metric {
  std::string name;
  std::string signature;
  bool higher_is_better;
  CountSentence count;
  ScoreOfCounts score;
};

template <typename Counts>
SentenceCounts flat(const Counts& counts) {
  SentenceCounts numbers;
  for (const NgramCounts& order : counts) {
    numbers.insert(numbers.end(), {order.hypothesis, order.reference, order.matches});
  }
  return numbers;
}

/// The counts of n-grams that flat() had; `counts` gives the number of orders.
template <typename Counts>
Counts ngram_counts(const SentenceCounts& numbers, Counts counts) {
  auto number = numbers.begin();
  for (NgramCounts& order : counts) order = {*number++, *number++, *number++};
  return counts;
}

SentenceCounts ter_counts(const std::string& hypothesis, const std::string& reference) {
  const auto counts = count_ter(hypothesis, {reference});
  return {counts.edits, static_cast<int64_t>(counts.reference_words)};  // a single reference
}

std::vector<Metric> all_metrics(const std::vector<std::string>& references) {
  const auto bleu = bleu_options_for(references);
  return {
      {"BLEU", bleu_signature(bleu), true,
       [bleu](const auto& ours, const auto& theirs) {
         return flat(count_bleu(ours, {theirs}, bleu));
       },
       [](const SentenceCounts& sums) { return bleu_of(ngram_counts(sums, BleuCounts())).score; }},
      {kSentenceMetric, chrf_signature(ChrfOptions()), true,
       [](const auto& ours, const auto& theirs) { return flat(count_chrf(ours, {theirs})); },
       [](const SentenceCounts& sums) {
         return chrf_of(ngram_counts(sums, ChrfCounts(sums.size() / kCountsOfOrder)));
       }},
      {"TER", ter_signature(TerOptions()), false, ter_counts, [](const SentenceCounts& sums) {
         return ter_of({sums[0], static_cast<double>(sums[1])});
       }}};
}

std::vector<SentenceCounts> count_all(const Metric& metric, const std::vector<size_t>& lines,
                                      const std::vector<std::string>& hypotheses,
                                      const std::vector<std::string>& references) {
  std::vector<SentenceCounts> counts;
  for (const size_t i : lines) counts.push_back(metric.count(hypotheses[i], references[i]));
  return counts;
}

/// The `count` sentences with the largest sign · (b − a), if it is above 0; largest first.
std::vector<SentenceDifference> most_different(std::vector<SentenceDifference> sentences,
                                               double sign, int64_t count) {
  const auto gain = [&](const SentenceDifference& one) { return sign * (one.b - one.a); };
  sentences.erase(std::remove_if(sentences.begin(), sentences.end(),
                                 [&](const auto& one) { return gain(one) <= 0; }),
                  sentences.end());
  std::stable_sort(sentences.begin(), sentences.end(),
                   [&](const auto& one, const auto& other) { return gain(one) > gain(other); });
  sentences.resize(std::min(sentences.size(), static_cast<size_t>(count)));
  return sentences;
}

std::string metric_line(const MetricComparison& metric, int64_t num_samples) {
  const auto& result = metric.result;
  const auto won = metric.higher_is_better ? result.b_above : result.a_above;
  return fmt::format(
      "{:<6} {:8.2f} {:8.2f} {:+8.2f}   {:+7.2f} … {:<+7.2f}  {:6.4f} {}  {:5.1f}%  {}\n",
      metric.name, result.a, result.b, result.b - result.a, result.low, result.high, result.p,
      metric.significant ? "*" : " ",
      100.0 * static_cast<double>(won) / static_cast<double>(num_samples), metric.signature);
}

std::vector<TranslatedSentence> sentences_of(const ComparedTexts& texts,
                                             const std::vector<std::string>& translations) {
  std::vector<TranslatedSentence> sentences;
  for (const size_t i : lines_with_reference(texts.references)) {
    auto& sentence = sentences.emplace_back();
    // The language marker does not count as a word.
    sentence.source = texts.sources.empty() ? texts.references[i]
                                            : std::string(split_marker(texts.sources[i]).text);
    sentence.translation = translations[i];
    sentence.reference = texts.references[i];
  }
  return sentences;
}

std::string group_table(const std::string& title, const char* unit,
                        const std::vector<ComparedGroup>& groups) {
  if (groups.empty()) return "";
  auto text =
      fmt::format("\n{}\n{:<10} {:>9} {:>8} {:>8} {:>8}\n", title, "", unit, "A", "B", "B - A");
  for (const auto& group : groups) {
    text += fmt::format("{:<10} {:9} {:8.2f} {:8.2f} {:+8.2f}\n", group.name, group.size, group.a,
                        group.b, group.b - group.a);
  }
  return text;
}

OrderedJson groups_json(const std::vector<ComparedGroup>& groups) {
  auto list = OrderedJson::array();
  for (const auto& group : groups) {
    list.push_back({{"group", group.name}, {"size", group.size}, {"a", group.a}, {"b", group.b}});
  }
  return list;
}

std::string legend() {
  return fmt::format("* p below {:.2f}, 0 outside the interval", kSignificant);
}

/// A table of all systems, each with its difference from A.
std::string overview(const std::vector<ComparedSystems>& compared) {
  std::string text = fmt::format("{:<4}", "");
  for (const auto& metric : compared.front().comparison.metrics) {
    text += fmt::format("{:>8}{:>9}  ", metric.name, "- A");
  }
  text += fmt::format("\n{:<4}", "A");
  for (const auto& metric : compared.front().comparison.metrics) {
    text += fmt::format("{:8.2f}{:>11}", metric.result.a, "");
  }
  text += "  " + compared.front().texts.name_a + "\n";
  for (size_t i = 0; i < compared.size(); ++i) {
    text += fmt::format("{:<4}", "B" + std::to_string(i + 1));
    for (const auto& metric : compared[i].comparison.metrics) {
      const auto& result = metric.result;
      text += fmt::format("{:8.2f}{:+9.2f} {}", result.b, result.b - result.a,
                          metric.significant ? "*" : " ");
    }
    text += "  " + compared[i].texts.name_b + "\n";
  }
  return text + "\n" + legend() + "\n";
}

std::string sentence_text(const SentenceDifference& sentence, const ComparedTexts& texts) {
  const auto i = static_cast<size_t>(sentence.line - 1);
  std::string text = "\nline " + std::to_string(sentence.line) + "\n";
  if (!texts.sources.empty()) text += "  source            " + texts.sources[i] + "\n";
  return text +
         fmt::format("  reference         {}\n  A  chrF2 {:6.2f}   {}\n  B  chrF2 {:6.2f}   {}\n",
                     texts.references[i], sentence.a, texts.a[i], sentence.b, texts.b[i]);
}

OrderedJson sentences_json(const std::vector<SentenceDifference>& sentences,
                           const ComparedTexts& texts) {
  auto list = OrderedJson::array();
  for (const auto& sentence : sentences) {
    const auto i = static_cast<size_t>(sentence.line - 1);
    OrderedJson json = {{"line", sentence.line}};
    if (!texts.sources.empty()) json["source"] = texts.sources[i];
    json["reference"] = texts.references[i];
    json["a"] = {{"text", texts.a[i]}, {"chrf", sentence.a}};
    json["b"] = {{"text", texts.b[i]}, {"chrf", sentence.b}};
    list.push_back(std::move(json));
  }
  return list;
}

std::string comparison_text(const ComparedSystems& compared, const ComparisonOptions& options) {
  const auto& [texts, comparison] = compared;
  auto text =
      fmt::format("A  {}\nB  {}\n\n{:<6} {:>8} {:>8} {:>8}   {:<18} {:>7}    {}\n", texts.name_a,
                  texts.name_b, "", "A", "B", "B - A", "95% of the samples", "p", "B better");
  for (const auto& metric : comparison.metrics) text += metric_line(metric, options.num_samples);
  text += fmt::format("\n{}, {}, seed {}; {}{}\n", counted(comparison.lines, "line"),
                      counted(options.num_samples, "bootstrap sample"), options.seed, legend(),
                      comparison.lines < kFewLines ? "; few lines: the differences are rough" : "");
  if (comparison.lines_left_out > 0) {
    text += counted(comparison.lines_left_out, "line") + " without a reference left out\n";
  }
  text += group_table(
      fmt::format("BLEU by words of the {}", texts.sources.empty() ? "reference" : "source"),
      "sentences", comparison.by_length);
  text += group_table("Reference words found, in %, by occurrences in training", "words",
                      comparison.by_frequency);
  const auto add = [&, &texts = texts](const char* title,
                                       const std::vector<SentenceDifference>& sentences) {
    if (!sentences.empty()) text += std::string("\n") + title + "\n";
    for (const auto& sentence : sentences) text += sentence_text(sentence, texts);
  };
  add("Sentences where A is most ahead", comparison.a_better);
  add("Sentences where B is most ahead", comparison.b_better);
  return text;
}

OrderedJson comparison_json(const ComparedSystems& compared, const ComparisonOptions& options) {
  const auto& [texts, comparison] = compared;
  OrderedJson json = {{"a", texts.name_a},
                      {"b", texts.name_b},
                      {"lines", comparison.lines},
                      {"samples", options.num_samples},
                      {"seed", options.seed}};
  if (comparison.lines_left_out > 0) json["lines_left_out"] = comparison.lines_left_out;
  for (const auto& metric : comparison.metrics) {
    const auto& result = metric.result;
    json["metrics"].push_back({{"name", metric.name},
                               {"a", result.a},
                               {"b", result.b},
                               {"difference", result.b - result.a},
                               {"low", result.low},
                               {"high", result.high},
                               {"p", result.p},
                               {"a_above", result.a_above},
                               {"b_above", result.b_above},
                               {"significant", metric.significant},
                               {"higher_is_better", metric.higher_is_better},
                               {"signature", metric.signature}});
  }
  json["by_length"] = groups_json(comparison.by_length);
  json["by_frequency"] = groups_json(comparison.by_frequency);
  json["a_better"] = sentences_json(comparison.a_better, texts);
  json["b_better"] = sentences_json(comparison.b_better, texts);
  return json;
}

}  // namespace

Comparison compare(const std::vector<std::string>& a, const std::vector<std::string>& b,
                   const std::vector<std::string>& references, const ComparisonOptions& options) {
  require_pairs(a, references);
  require_pairs(b, references);
  const auto lines = lines_with_reference(references);
  Comparison comparison;
  comparison.lines = static_cast<int64_t>(lines.size());
  comparison.lines_left_out = static_cast<int64_t>(references.size() - lines.size());
  std::vector<SentenceDifference> sentences;
  for (const auto& metric : all_metrics(references)) {
    const auto counts_a = count_all(metric, lines, a, references);
    const auto counts_b = count_all(metric, lines, b, references);
    const auto result =
        paired_bootstrap(counts_a, counts_b, metric.score, options.num_samples, options.seed);
    const bool outside = result.low > 0 || result.high < 0;
    comparison.metrics.push_back({metric.name, metric.signature, metric.higher_is_better, result,
                                  lines.size() > 1 && result.p < kSignificant && outside});
    if (metric.name == kSentenceMetric) {
      for (size_t i = 0; i < lines.size(); ++i) {
        sentences.push_back({static_cast<int64_t>(lines[i] + 1), metric.score(counts_a[i]),
                             metric.score(counts_b[i])});
      }
    }
  }
  comparison.a_better = most_different(sentences, -1.0, options.num_sentences);
  comparison.b_better = most_different(sentences, 1.0, options.num_sentences);
  return comparison;
}

std::vector<ComparedGroup> compare_by_length(const ComparedTexts& texts) {
  const auto a = by_length(sentences_of(texts, texts.a));
  const auto b = by_length(sentences_of(texts, texts.b));
  std::vector<ComparedGroup> groups;
  for (size_t i = 0; i < a.size(); ++i) {
    groups.push_back(
        {range_text(a[i].shortest, a[i].longest), a[i].sentences, a[i].bleu, b[i].bleu});
  }
  return groups;
}

std::vector<ComparedGroup> compare_by_frequency(const ComparedTexts& texts,
                                                const WordCounts& in_training) {
  const auto a = by_frequency(sentences_of(texts, texts.a), in_training);
  const auto b = by_frequency(sentences_of(texts, texts.b), in_training);
  const auto percent = [](const FrequencyGroup& group) {
    return 100.0 * static_cast<double>(group.found) / static_cast<double>(group.words);
  };
  std::vector<ComparedGroup> groups;
  for (size_t i = 0; i < a.size(); ++i) {
    groups.push_back(
        {range_text(a[i].rarest, a[i].commonest), a[i].words, percent(a[i]), percent(b[i])});
  }
  return groups;
}

WordCounts count_reference_words(const std::vector<std::string>& references,
                                 const std::filesystem::path& training_text) {
  LineReader reader(training_text);
  reader.require_text();
  auto counts = words_of_references(references);
  for (std::string line; reader.next(line);) count_words(line, counts);
  return counts;
}

std::string to_text(const std::vector<ComparedSystems>& compared,
                    const ComparisonOptions& options) {
  auto text = compared.size() > 1 ? overview(compared) : "";
  for (const auto& two : compared) {
    text += (text.empty() ? "" : "\n") + comparison_text(two, options);
  }
  return text;
}

std::string to_json(const std::vector<ComparedSystems>& compared,
                    const ComparisonOptions& options) {
  if (compared.size() == 1) return dump_json(comparison_json(compared.front(), options)) + "\n";
  OrderedJson json;
  for (const auto& two : compared) json["comparisons"].push_back(comparison_json(two, options));
  return dump_json(json) + "\n";
}

}  // namespace nmt
