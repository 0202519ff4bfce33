#include "reports/report_page.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "pages/embedded_file.h"
#include "pages/html.h"
#include "pages/line_chart.h"
#include "planning/training_advice.h"
#include "reports/study_sections.h"

NMT_EMBED_FILE(nmt_report_css, NMT_ASSET_DIR "/report.css");
NMT_EMBED_FILE(nmt_report_js, NMT_ASSET_DIR "/report.js");

namespace nmt {
namespace {

constexpr size_t kShownVersions = 8;  // of a sample translation

template <typename Point>
std::vector<ChartPoint> chart_points(const std::vector<Point>& history, double Point::*value,
                                     bool by_time) {
  std::vector<ChartPoint> points;
  for (const auto& point : history) {
    points.push_back({by_time ? point.seconds : static_cast<double>(point.update), point.*value});
  }
  return points;
}

struct Chart {
  std::string title;  // HTML
  std::string name;
  bool logarithmic;
  std::vector<ChartLine> lines;
};

/// The charts over time, or over updates.
std::vector<Chart> charts_of(const RunHistory& history, bool by_time) {
  using Train = TrainPoint;
  using Valid = ValidationPoint;
  const auto trained = [&](double Train::*value, const char* name) {
    return ChartLine{name, "first", false, chart_points(history.training, value, by_time)};
  };
  const auto validated = [&](double Valid::*value, const char* name, const char* color) {
    return ChartLine{name, color, true, chart_points(history.validations, value, by_time)};
  };
  const auto both = [&](double Train::*training, double Valid::*validation) {
    return std::vector<ChartLine>{trained(training, "training"),
                                  validated(validation, "validation", "second")};
  };
  const auto of_training = [&](const char* english, const char* korean, bool logarithmic,
                               double Train::*value) {
    return Chart{bilingual(english, korean), english, logarithmic, {trained(value, english)}};
  };
  const std::vector<ChartLine> quality = {validated(&Valid::bleu, "BLEU", "second"),
                                          validated(&Valid::chrf, "chrF2", "third")};
  const char* rating = "Rating of validation.script";
  return {{bilingual("Loss", "손실"), "Loss", false, both(&Train::loss, &Valid::loss)},
          {bilingual("Perplexity", "혼란도"), "Perplexity", true,
           both(&Train::perplexity, &Valid::perplexity)},
          {"BLEU, chrF2", "BLEU and chrF2", false, quality},
          Chart{bilingual(rating, "validation.script의 평점"),
                rating,
                false,
                {validated(&Valid::script, "script", "second")}},
          of_training("Learning rate", "학습률", false, &Train::learning_rate),
          of_training("Gradient norm", "기울기 크기", true, &Train::gradient_norm),
          of_training("Tokens per second", "초당 토큰", false, &Train::tokens_per_second)};
}

std::string legend_name(const std::string& name) {
  if (name == "training") return bilingual("training", "학습");
  if (name == "validation") return bilingual("validation", "검증");
  return escape_html(name);
}

/// The same chart over updates and over time.
std::string chart_figure(const Chart& chart, const Chart& over_time) {
  const auto by_update = line_chart(
      chart.lines, {chart.name + " by updates", {"updates", "갱신 수"}, chart.logarithmic, false});
  if (by_update.empty()) return "";
  std::string legend;
  for (const auto& line : chart.lines) {
    if (chart.lines.size() < 2 || line.points.empty()) continue;
    legend += "<span class=\"key " + line.color + "\">" + legend_name(line.name) + "</span>";
  }
  return "<figure><figcaption><h3>" + chart.title + "</h3>" + legend +
         "</figcaption>\n<div class=\"by-update\">" + by_update +
         "</div>\n<div class=\"by-time\">" +
         line_chart(over_time.lines,
                    {chart.name + " by time", {"time", "시간"}, chart.logarithmic, true}) +
         "</div>\n<p class=\"readout faint\"></p></figure>\n";
}

std::string clock(double seconds) {
  const auto total = static_cast<int64_t>(std::max(seconds, 0.0));
  return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

std::string validation_table(const std::vector<ValidationPoint>& validations) {
  if (validations.empty()) return "";
  std::string rows;
  for (const auto& point : validations) {
    rows += std::string(point.best ? "<tr class=\"best\">" : "<tr>") + "<td>" +
            std::to_string(point.update) + "</td><td>" + std::to_string(point.epoch) + "</td><td>" +
            clock(point.seconds) + "</td><td>" + number_text(point.loss, 4) + "</td><td>" +
            number_text(point.perplexity, 3) + "</td><td>" + number_text(point.bleu, 2) +
            "</td><td>" + number_text(point.chrf, 2) + "</td></tr>\n";
  }
  return "<details id=\"validations\"><summary>" + bilingual("All validations", "모든 검증 결과") +
         "</summary>" +
         scrolling_table(
             {bilingual("update", "갱신"), bilingual("epoch", "에폭"), bilingual("time", "시간"),
              bilingual("loss", "손실"), bilingual("perplexity", "혼란도"), "BLEU", "chrF2"},
             rows, "All validations") +
         "</details>\n";
}

std::string advice(const ReportContent& content) {
  const bool advises = !content.live && !content.limit.empty();
  const auto text = advises ? training_advice(content.history, content.limit) : "";
  if (text.empty()) return "";
  return "<p id=\"advice\">" + bilingual("What would help most: ", "가장 도움이 될 것: ") +
         escape_html(text) + "</p>\n";
}

std::string charts(const ReportContent& content) {
  std::string html = "<h2>" + bilingual("Training", "학습 과정") + "</h2>\n";
  if (content.history.training.empty() && content.history.validations.empty()) {
    return html + "<p class=\"faint\">" +
           (content.live ? bilingual("No data yet.", "아직 자료가 없습니다.")
                         : escape_html(content.why_no_history)) +
           "</p>\n";
  }
  html +=
      "<div class=\"switch\" role=\"radiogroup\" aria-label=\"Axis\"><input type=\"radio\" "
      "name=\"axis\" id=\"axis-update\" checked><label for=\"axis-update\">" +
      bilingual("by updates", "갱신 수") +
      "</label><input type=\"radio\" name=\"axis\" id=\"axis-time\"><label for=\"axis-time\">" +
      bilingual("by time", "시간") + "</label></div>\n<div class=\"charts\">\n";
  const auto by_update = charts_of(content.history, false);
  const auto by_time = charts_of(content.history, true);
  for (size_t i = 0; i < by_update.size(); ++i) html += chart_figure(by_update[i], by_time[i]);
  return html + "</div>\n" + advice(content) + validation_table(content.history.validations);
}

struct Version {
  int64_t update;
  std::string translation;
};

/// The successive translations of one line, each with the update of its first occurrence.
std::vector<Version> versions_of(size_t sample, const std::vector<ValidationPoint>& validations) {
  std::vector<Version> versions;
  for (const auto& point : validations) {
    if (sample >= point.samples.size()) continue;
    const auto& text = point.samples[sample].translation;
    if (versions.empty() || versions.back().translation != text) {
      versions.push_back({point.update, text});
    }
  }
  if (versions.size() <= kShownVersions) return versions;
  std::vector<Version> some;
  for (size_t i = 0; i < kShownVersions; ++i) {
    some.push_back(versions[i * (versions.size() - 1) / (kShownVersions - 1)]);
  }
  return some;
}

std::string samples(const std::vector<ValidationPoint>& validations) {
  if (validations.empty() || validations.back().samples.empty()) return "";
  std::string html = "<h2>" + bilingual("Translations over time", "시간에 따른 번역") +
                     "</h2>\n<div class=\"pair\">\n";
  const auto& last = validations.back().samples;
  for (size_t i = 0; i < last.size(); ++i) {
    html += "<div class=\"sample\"><dl><dt>" + bilingual("source", "원문") + "</dt><dd>" +
            escape_html(last[i].source) + "</dd>\n";
    for (const auto& version : versions_of(i, validations)) {
      html += "<dt>" + std::to_string(version.update) + "</dt><dd>" +
              escape_html(version.translation) + "</dd>\n";
    }
    html += "<dt>" + bilingual("reference", "정답") + "</dt><dd><strong>" +
            escape_html(last[i].reference) + "</strong></dd></dl></div>\n";
  }
  return html + "</div>\n";
}

std::string tile(const std::string& name, const std::string& value) {
  return "<div class=\"tile\"><span class=\"faint\">" + name + "</span><strong>" + value +
         "</strong></div>\n";
}

/// The validation of the saved model, if any.
const ValidationPoint* best_validation(const RunHistory& history) {
  const auto best = std::find_if(history.validations.rbegin(), history.validations.rend(),
                                 [](const ValidationPoint& point) { return point.best; });
  return best == history.validations.rend() ? nullptr : &*best;
}

std::string tiles(const RunHistory& history) {
  if (history.training.empty() && history.validations.empty()) return "";
  int64_t update = 0;
  double seconds = 0;
  const auto look = [&](const auto& points) {
    if (points.empty()) return;
    update = std::max(update, points.back().update);
    seconds = std::max(seconds, points.back().seconds);
  };
  look(history.training);
  look(history.validations);
  std::string html = "<div class=\"tiles\">\n" +
                     tile(bilingual("updates", "갱신"), std::to_string(update)) +
                     tile(bilingual("time", "시간"), clock(seconds));
  if (const auto* best = best_validation(history)) {
    html += tile(bilingual("best at update", "최고 갱신"), std::to_string(best->update)) +
            tile(bilingual("validation loss", "검증 손실"), number_text(best->loss, 3)) +
            tile(bilingual("BLEU in training", "학습 중 BLEU"), number_text(best->bleu, 2)) +
            tile(bilingual("chrF2 in training", "학습 중 chrF2"), number_text(best->chrf, 2));
    if (!std::isnan(best->script)) {
      html += tile(bilingual("script rating", "script 평점"), number_text(best->script, 4));
    }
  }
  return html + "</div>\n";
}

std::string text_details(const char* id, const std::string& title, const std::string& text) {
  if (text.empty()) return "";
  return "<details id=\"" + std::string(id) + "\"><summary>" + title + "</summary>" +
         scrolling("<pre>" + escape_html(text) + "</pre>", id) + "</details>\n";
}

std::string origins(const ReportContent& content) {
  std::string html =
      "<h2>" + bilingual("Settings, data and versions", "설정, 자료, 버전") + "</h2>\n";
  if (!content.facts.empty()) {
    std::string rows;
    for (const auto& [name, value] : content.facts) {
      rows += table_row(escape_html(name), {escape_html(value)});
    }
    html += scrolling(element("table class=\"facts\"", element("tbody", rows)),
                      "Settings, data and versions");
  }
  return html + text_details("settings", "config.yaml", content.settings) +
         text_details("checksums", "SHA256SUMS", content.checksums);
}

/// Explains why BLEU here differs from that of training.
std::string two_scores(const ReportContent& content) {
  const auto* best = best_validation(content.history);
  if (best == nullptr || !std::isfinite(best->bleu)) return "";
  const auto bleu = number_text(best->bleu, 2);
  const auto update = std::to_string(best->update);
  const auto beam = std::to_string(content.validation_beam);
  const auto beam_here = std::to_string(TranslationOptions().beam_size);
  const auto count = std::to_string(content.validation_sentences);
  const bool all = content.validation_sentences == 0;
  return "<p id=\"two-scores\" class=\"faint\">" +
         bilingual("BLEU in training was " + bleu + ", with beam size " + beam + " on " +
                       (all ? "all" : "at most " + count) + " validation sentences at update " +
                       update + ". Here the saved model translates the sentences counted above " +
                       "with beam size " + beam_here + ".",
                   "학습 중 BLEU는 " + bleu + "입니다(갱신 " + update + ", 빔 크기 " + beam +
                       ", 검증 문장 " + (all ? "전체" : "최대 " + count + "개") +
                       "). 여기서는 저장된 모델이 위에 적은 문장을 빔 크기 " + beam_here +
                       "로 번역했습니다.") +
         "</p>\n";
}

std::string study(const ReportContent& content) {
  const auto text = escape_html(content.evaluated);
  const auto heading =
      "<h2>" +
      (text.empty() ? bilingual("Evaluation on the validation text", "검증 말뭉치 평가")
                    : bilingual("Evaluation on " + text, text + " 평가")) +
      "</h2>\n";
  // Sentences other than those of training have other scores.
  const auto note = text.empty() ? two_scores(content) : "";
  if (content.study) return study_sections(*content.study, heading, note);
  if (content.live) return "";
  return heading + "<p class=\"faint\">" + escape_html(content.why_no_study) + "</p>\n";
}

}  // namespace

std::string report_page(const ReportContent& content) {
  const auto notice = [](const char* id, const std::string& text) {
    return "<p id=\"" + std::string(id) + "\" role=\"status\"" +
           (std::string_view(id) == "live" ? ">" : " hidden>") + text + "</p>\n";
  };
  const auto notices =
      notice("live", bilingual("Live: updated during training.", "실시간: 학습 중에 갱신됩니다.")) +
      notice("lost", bilingual("Training cannot be reached. Trying again…",
                               "학습에 연결할 수 없습니다. 다시 시도하는 중…")) +
      notice("ended", bilingual("Training has ended.", "학습이 끝났습니다."));
  return page_begin(content.name, nmt_report_css()) + (content.live ? notices : "") +
         "<main>\n<h1>" + escape_html(content.name) + "</h1>\n" + tiles(content.history) +
         charts(content) + samples(content.history.validations) + study(content) +
         origins(content) + "</main>\n" + page_end(nmt_report_js());
}

}  // namespace nmt
