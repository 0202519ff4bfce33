#include "compare/comparison_page.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "errors/counted.h"
#include "metrics/references.h"
#include "pages/embedded_file.h"
#include "pages/html.h"
#include "pages/marked_differences.h"

NMT_EMBED_FILE(nmt_comparison_css, NMT_ASSET_DIR "/comparison.css");

namespace nmt {
namespace {

constexpr double kWidth = 200;  // of the drawing of an interval
constexpr double kMiddle = 10;  // and half its height

std::string signed_number(double value) {
  auto text = fmt::format("{:+.2f}", value);
  return text.front() == '-' ? "−" + text.substr(1) : text;
}

std::string verdict(const MetricComparison& metric) {
  const auto& result = metric.result;
  if (!metric.significant) {
    return bilingual("no significant difference", "유의한 차이 없음");
  }
  const bool b_is_better = (result.b > result.a) == metric.higher_is_better;
  return b_is_better ? bilingual("B is better", "B가 나음") : bilingual("A is better", "A가 나음");
}

/// Draws the 95 % interval of B's advantage over A. `reach` scales the axis, which all metrics
/// share.
std::string interval_picture(const MetricComparison& metric, double reach) {
  const auto& result = metric.result;
  const double sign = metric.higher_is_better ? 1.0 : -1.0;
  const auto x = [&](double difference) {
    return kWidth / 2 * (1 + 0.95 * sign * difference / reach);
  };
  return fmt::format(
      "<svg class=\"interval\" aria-hidden=\"true\" width=\"{0:g}\" height=\"{1:g}\" "
      "viewBox=\"0 0 {0:g} {1:g}\"><path class=\"zero\" d=\"M{2:g} 0v{1:g}\"/>"
      "<path d=\"M{3:.1f} {4:g}H{5:.1f}\"/><circle cx=\"{6:.1f}\" cy=\"{4:g}\" r=\"4\"/></svg>",
      kWidth, 2 * kMiddle, kWidth / 2, x(result.low), kMiddle, x(result.high),
      x(result.b - result.a));
}

std::string metric_row(const MetricComparison& metric, double reach) {
  const auto& result = metric.result;
  return table_row(metric.name, {fmt::format("{:.2f}", result.a), fmt::format("{:.2f}", result.b),
                                 element("strong", signed_number(result.b - result.a)),
                                 verdict(metric), fmt::format("{:.4f}", result.p),
                                 signed_number(result.low) + " … " + signed_number(result.high),
                                 interval_picture(metric, reach)});
}

std::string metric_table(const std::vector<MetricComparison>& metrics) {
  double reach = 1e-9;
  for (const auto& metric : metrics) {
    reach = std::max({reach, std::abs(metric.result.low), std::abs(metric.result.high)});
  }
  std::string rows;
  for (const auto& metric : metrics) rows += metric_row(metric, reach);
  return scrolling_table({"", "A", "B", "B − A", bilingual("verdict", "판정"), "p",
                          bilingual("95 % of the samples", "표본의 95 %"),
                          bilingual("← A better · B better →", "← A가 나음 · B가 나음 →")},
                         rows, "Scores");
}

std::string group_table(const std::string& title, const std::string& label, const std::string& unit,
                        const std::vector<ComparedGroup>& groups) {
  if (groups.empty()) return "";
  std::string rows;
  for (const auto& group : groups) {
    rows +=
        table_row(group.name, {std::to_string(group.size), fmt::format("{:.1f}", group.a),
                               fmt::format("{:.1f}", group.b), signed_number(group.b - group.a)});
  }
  return element("section", element("h2", title) +
                                scrolling_table({"", unit, "A", "B", "B − A"}, rows, label)) +
         "\n";
}

std::string group_tables(const Comparison& comparison, const ComparedTexts& texts) {
  const auto lengths = texts.sources.empty()
                           ? bilingual("BLEU by words of the reference", "정답 길이별 BLEU")
                           : bilingual("BLEU by words of the source", "원문 길이별 BLEU");
  return group_table(lengths, "BLEU by length", bilingual("sentences", "문장"),
                     comparison.by_length) +
         group_table(bilingual("Reference words found, in %, by occurrences in training",
                               "학습 말뭉치의 낱말 빈도별 맞힘, %"),
                     "Words found by frequency", bilingual("words", "낱말"),
                     comparison.by_frequency);
}

/// A translation with its score; what the reference does not have is marked.
std::string scored_text(const char* name, double chrf, const std::string& text,
                        const std::string& reference) {
  return element("dt", fmt::format("{} · chrF2 {:.1f}", name, chrf)) +
         element("dd", mark_differences(text, reference).first);
}

std::string sentence_item(const SentenceDifference& sentence, const ComparedTexts& texts) {
  const auto i = static_cast<size_t>(sentence.line - 1);
  const auto& reference = texts.references[i];
  const auto& worse = sentence.a < sentence.b ? texts.a[i] : texts.b[i];
  std::string html;
  if (!texts.sources.empty()) {
    html =
        element("dt", bilingual("source", "원문")) + element("dd", escape_html(texts.sources[i]));
  }
  html += element("dt", bilingual("reference", "정답")) +
          element("dd", mark_differences(worse, reference).second) +
          scored_text("A", sentence.a, texts.a[i], reference) +
          scored_text("B", sentence.b, texts.b[i], reference);
  return element("li", element("h3", bilingual("line ", "줄 ") + std::to_string(sentence.line)) +
                           element("dl", html)) +
         "\n";
}

std::string sentence_section(const std::string& title,
                             const std::vector<SentenceDifference>& sentences,
                             const ComparedTexts& texts) {
  if (sentences.empty()) return "";
  std::string items;
  for (const auto& sentence : sentences) items += sentence_item(sentence, texts);
  return element("section", element("h2", title) + element("ol", items)) + "\n";
}

/// How the scores were computed.
std::string method(const Comparison& comparison, const ComparisonOptions& options) {
  const auto lines = std::to_string(comparison.lines);
  const auto samples = std::to_string(options.num_samples);
  const auto seed = std::to_string(options.seed);
  const auto limit = fmt::format("{:g}", kSignificant);
  const bool few = comparison.lines < kFewLines;
  const auto left_out = comparison.lines_left_out;
  return element("p class=\"faint\"",
                 bilingual(counted(comparison.lines, "line") + "; paired bootstrap with " +
                               counted(options.num_samples, "sample") + ", seed " + seed +
                               ". A difference is significant where p is below " + limit +
                               " and 0 outside the interval. TER: lower is better." +
                               (few ? " Few lines: the differences are rough." : "") +
                               (left_out > 0 ? " Left out: " + counted(left_out, "line") +
                                                   " without a reference."
                                             : ""),
                           lines + "줄, 짝지은 부트스트랩 표본 " + samples + "개, 시드 " + seed +
                               ". p가 " + limit +
                               "보다 작고 구간에 0이 없으면 유의한 차이입니다. TER는 낮을수록 "
                               "좋습니다." +
                               (few ? " 줄이 적어 차이는 대략적인 값입니다." : "") +
                               (left_out > 0 ? " 정답이 없는 " + std::to_string(left_out) +
                                                   "줄은 제외했습니다."
                                             : ""))) +
         "\n";
}

std::string signatures(const std::vector<MetricComparison>& metrics) {
  std::string items;
  for (const auto& metric : metrics) {
    items += element("li", metric.name + " " + escape_html(metric.signature));
  }
  return element("h2", bilingual("Signatures of the metrics", "지표의 서명")) +
         element("ul class=\"faint\"", items);
}

/// A table of all systems, each with its difference from A.
std::string overview(const std::vector<ComparedSystems>& compared) {
  const auto& metrics = compared.front().comparison.metrics;
  std::vector<std::string> head = {""};
  std::vector<std::string> cells;
  for (const auto& metric : metrics) {
    head.insert(head.end(), {metric.name, "− A"});
    cells.insert(cells.end(), {fmt::format("{:.2f}", metric.result.a), ""});
  }
  auto rows = table_row(escape_html("A  " + compared.front().texts.name_a), cells);
  for (const auto& two : compared) {
    cells.clear();
    for (const auto& metric : two.comparison.metrics) {
      const auto& result = metric.result;
      const auto* mark = metric.significant ? " *" : "";
      cells.insert(cells.end(),
                   {fmt::format("{:.2f}", result.b), signed_number(result.b - result.a) + mark});
    }
    rows += table_row(escape_html(two.texts.name_b), cells);
  }
  return element("h2", bilingual("All systems", "모든 번역")) +
         scrolling_table(head, rows, "All systems") +
         element("p class=\"faint\"",
                 bilingual("* a significant difference from A", "* A와 유의한 차이")) +
         "\n";
}

std::string comparison_sections(const ComparedSystems& compared, const ComparisonOptions& options) {
  const auto& [texts, comparison] = compared;
  return element("dl", element("dt", "A") + element("dd", escape_html(texts.name_a)) +
                           element("dt", "B") + element("dd", escape_html(texts.name_b))) +
         "\n" + metric_table(comparison.metrics) + method(comparison, options) +
         "<div class=\"sides\">\n" + group_tables(comparison, texts) + "</div>\n" +
         "<div class=\"sides\">\n" +
         sentence_section(bilingual("Where A is most ahead", "A가 가장 앞선 문장"),
                          comparison.a_better, texts) +
         sentence_section(bilingual("Where B is most ahead", "B가 가장 앞선 문장"),
                          comparison.b_better, texts) +
         "</div>\n";
}

}  // namespace

std::string comparison_page(const std::vector<ComparedSystems>& compared,
                            const ComparisonOptions& options) {
  const auto& first = compared.front();
  const bool several = compared.size() > 1;
  const auto marks = element(
      "p class=\"faint\"",
      bilingual(
          "Marked: in the translations, what the reference does not have; in the reference, "
          "what the worse translation does not have.",
          "번역에서는 정답에 없는 부분을, 정답에서는 못한 쪽 번역에 없는 부분을 표시했습니다."));
  auto page = page_begin(first.texts.name_a + " – " + (several ? "…" : first.texts.name_b),
                         nmt_comparison_css()) +
              "<main>\n" +
              element("h1", several ? bilingual("Translators compared", "번역의 비교")
                                    : bilingual("Two translators compared", "두 번역의 비교")) +
              (several ? overview(compared) : "");
  for (const auto& two : compared) page += comparison_sections(two, options);
  return page + marks + signatures(first.comparison.metrics) + "</main>\n" + page_end("");
}

}  // namespace nmt
