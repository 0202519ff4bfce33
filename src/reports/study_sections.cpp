#include "reports/study_sections.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "attention_views/attention_box.h"
#include "pages/html.h"
#include "pages/line_chart.h"
#include "pages/marked_differences.h"

namespace nmt {
namespace {

constexpr size_t kListed = 10;

std::string cell(const std::string& html) { return element("td", html); }

std::string sentence_row(const TranslatedSentence& sentence) {
  const auto confidence = sentence.confidence ? " · " + bilingual("confidence ", "신뢰도 ") +
                                                    number_text(*sentence.confidence, 2)
                                              : "";
  const auto texts = mark_differences(sentence.translation, sentence.reference);
  return "<li><p class=\"faint\">" + bilingual("line ", "줄 ") + std::to_string(sentence.line) +
         " · chrF2 " + number_text(sentence.chrf, 1) + confidence + "</p><dl><dt>" +
         bilingual("source", "원문") + "</dt><dd>" + escape_html(sentence.source) + "</dd><dt>" +
         bilingual("translation", "번역") + "</dt><dd><strong>" + texts.first +
         "</strong></dd><dt>" + bilingual("reference", "정답") + "</dt><dd>" + texts.second +
         "</dd></dl></li>\n";
}

template <typename Iterator>
std::string sentence_list(const std::string& title, Iterator begin, Iterator end) {
  std::string html = "<div><h3>" + title + "</h3>\n<ol class=\"sentences\">\n";
  for (auto sentence = begin; sentence != end; ++sentence) html += sentence_row(*sentence);
  return html + "</ol></div>\n";
}

std::string extremes(const ValidationStudy& study) {
  const auto& all = study.sentences;
  const auto count = static_cast<std::ptrdiff_t>(std::min(kListed, all.size()));
  return "<h2>" + bilingual("Worst and best sentences by chrF2", "chrF2로 본 최악과 최선의 문장") +
         "</h2>\n<p class=\"faint\">" +
         bilingual("Marked: what only the translation or only the reference has.",
                   "번역과 정답 가운데 한쪽에만 있는 부분을 표시했습니다.") +
         "</p>\n<div class=\"pair\">\n" +
         sentence_list(bilingual("Worst", "최악"), all.begin(), all.begin() + count) +
         sentence_list(bilingual("Best", "최선"), all.rbegin(), all.rbegin() + count) + "</div>\n";
}

std::string pictures(const ValidationStudy& study) {
  std::string figures;
  for (const auto& drawn : study.drawn) {
    if (drawn.attention.weights.empty()) continue;  // a model without attention
    const auto& sentence = drawn.sentence;
    figures += "<figure><figcaption>" + escape_html(sentence.source) + "<br><strong>" +
               escape_html(sentence.translation) + "</strong></figcaption>" +
               attention_box(drawn.attention) + "</figure>\n";
  }
  if (figures.empty()) return "";
  return "<h2>" + bilingual("Attention", "어텐션") + "</h2>\n<p class=\"faint\">" +
         bilingual("The source words, in percent, that each word of the translation attends to.",
                   "번역의 각 낱말이 원문의 어느 낱말에 주목했는지를 백분율로 보여 줍니다.") +
         "</p>\n<div class=\"pair\">\n" + figures + "</div>\n";
}

/// Mean sentence chrF2 over mean confidence: near the diagonal if confidence is well calibrated.
std::string reliability_diagram(const ValidationStudy& study) {
  if (study.confidences.empty()) return "";
  ChartLine measured{"chrF2", "second", true, {}};
  for (const auto& group : study.confidences) {
    measured.points.push_back({100 * group.confidence, group.chrf});
  }
  const double low = measured.points.front().x;
  const double high = measured.points.back().x;
  const ChartLine ideal{"ideal", "first", false, {{low, low}, {high, high}}};
  return "<h2>" + bilingual("Confidence", "신뢰도") + "</h2>\n<p>" +
         bilingual("Correlation with sentence chrF2 (Pearson): ",
                   "문장 chrF2와의 상관계수(피어슨): ") +
         number_text(study.confidence_correlation, 3) + "</p>\n<p class=\"faint\">" +
         bilingual(
             "Each dot is a group of sentences of similar confidence: across, its mean in "
             "percent; upwards, their mean chrF2. On the diagonal, confidence is accurate.",
             "점 하나는 신뢰도가 비슷한 문장 묶음입니다. 가로는 평균 신뢰도(%), 세로는 평균 "
             "chrF2이며, 선 위에 있으면 신뢰도가 맞습니다.") +
         "</p>\n<div class=\"charts\"><figure><figcaption><h3>" +
         bilingual("Mean chrF2 by confidence", "신뢰도별 평균 chrF2") +
         "</h3><span class=\"key second\">chrF2</span>" + "<span class=\"key first\">" +
         bilingual("ideal", "이상적인 값") + "</span></figcaption>\n" +
         line_chart({measured, ideal}, {"Mean chrF2 by confidence",
                                        {"mean confidence, %", "평균 신뢰도(%)"},
                                        false,
                                        false,
                                        false}) +
         "<p class=\"readout faint\"></p></figure></div>\n";
}

std::string bar(double percent) {
  const auto number = number_text(percent, 1);
  return element("td class=\"bar\" style=\"--share:" + number + "%\"", number);
}

std::string length_table(const std::vector<LengthGroup>& groups) {
  std::string rows;
  for (const auto& group : groups) {
    rows += "<tr>" + cell(range_text(group.shortest, group.longest)) +
            cell(std::to_string(group.sentences)) + bar(group.chrf) + bar(group.bleu) +
            cell(number_text(group.length_ratio, 2)) + "</tr>\n";
  }
  return "<div><h3>" + bilingual("By source length", "원문 길이별") + "</h3>" +
         scrolling_table({bilingual("words", "낱말"), bilingual("sentences", "문장"), "chrF2",
                          "BLEU", bilingual("length ratio", "길이 비")},
                         rows, "By source length") +
         "</div>\n";
}

std::string frequency_table(const ValidationStudy& study) {
  const auto html = "<div><h3>" +
                    bilingual("By word frequency in training", "학습 말뭉치의 낱말 빈도별") +
                    "</h3>";
  if (study.frequencies.empty()) {
    return html + "<p class=\"faint\">" + escape_html(study.why_no_frequencies) + "</p></div>\n";
  }
  std::string rows;
  for (const auto& group : study.frequencies) {
    rows += "<tr>" + cell(range_text(group.rarest, group.commonest)) +
            cell(std::to_string(group.words)) +
            bar(100.0 * static_cast<double>(group.found) / static_cast<double>(group.words)) +
            "</tr>\n";
  }
  return html +
         scrolling_table(
             {bilingual("frequency", "횟수"), bilingual("reference words", "정답의 낱말"),
              bilingual("found, %", "맞힘, %")},
             rows, "By word frequency in training") +
         "</div>\n";
}

}  // namespace

std::string number_text(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string study_sections(const ValidationStudy& study, const std::string& heading,
                           const std::string& note) {
  return heading + "<p>" + std::to_string(study.sentences.size()) + " " +
         bilingual("sentences", "문장") + " · BLEU " + number_text(study.bleu, 2) + " · chrF2 " +
         number_text(study.chrf, 2) + " · TER " + number_text(study.ter, 2) + "</p>\n" + note +
         "<div class=\"pair\">\n" + length_table(study.lengths) + frequency_table(study) +
         "</div>\n" + reliability_diagram(study) + pictures(study) + extremes(study);
}

}  // namespace nmt
