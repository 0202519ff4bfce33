#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "attention_views/attention_box.h"
#include "attention_views/attention_svg.h"
#include "explain/flow_picture.h"
#include "explain/walks.h"
#include "pages/embedded_file.h"
#include "pages/html.h"
#include "pages/text_width.h"
#include "unicode/substrings.h"
#include "unicode/utf8.h"

NMT_EMBED_FILE(nmt_explain_css, NMT_ASSET_DIR "/explain.css");
NMT_EMBED_FILE(nmt_explain_js, NMT_ASSET_DIR "/explain.js");
NMT_EMBED_FILE(nmt_flow_css, NMT_ASSET_DIR "/flow.css");

namespace nmt {
namespace {

// In pixels: a table that fits a sheet of A4, in the sizes of page.css and explain.css on paper.
constexpr double kTableWidth = 576;
constexpr double kPaperText = 12.8;
constexpr double kCellPadding = 16.4;
constexpr double kMinCell = 34;

/// Puts left-to-right marks (U+200E) around the signs, so that they keep their place next to words
/// of right-to-left scripts.
std::string in_order(std::string text, const std::vector<std::string>& signs) {
  for (const auto& sign : signs) replace_all(text, sign, "\u200E" + sign + "\u200E");
  return text;
}

std::string both(const Text& text) {
  const auto html = [](const std::string& one) { return escape_html(in_order(one, {" → "})); };
  return bilingual(html(text.english), html(text.korean));
}

std::string cell(const LabelledMatrix& matrix, double value, bool whole, double darkest) {
  const auto figure = figure_text(value, whole);
  if (matrix.role != Role::kWeights) return element("td", figure);
  return element(fmt::format("td style=\"--w:{:.3f}\"", shade_of(value, darkest)), figure);
}

/// The end of the columns from `first` on that fit a table; at least one. Wide names of rows leave
/// half of it to them.
size_t end_of_table(const LabelledMatrix& matrix, size_t first) {
  const bool whole = is_whole(matrix.values);
  double width = matrix.rows.empty() ? 0
                                     : std::min(text_width(matrix.rows, kPaperText) + kCellPadding,
                                                kTableWidth / 2);
  size_t end = first;
  for (; end < matrix.values.front().size(); ++end) {
    std::vector<std::string> cells;
    if (!matrix.columns.empty()) cells.push_back(matrix.columns[end]);
    for (const auto& row : matrix.values) cells.push_back(figure_text(row[end], whole));
    width += std::max(kMinCell, text_width(cells, kPaperText) + kCellPadding);
    if (end > first && width > kTableWidth) break;
  }
  return end;
}

/// Columns [first, end) of the matrix.
std::string table(const LabelledMatrix& matrix, size_t first, size_t end) {
  const bool whole = is_whole(matrix.values);
  const double darkest = darkest_weight(matrix.values);
  std::string html = matrix.role == Role::kWeights ? "<table class=\"weights\">" : "<table>";
  html += element(std::string("caption class=\"") + role_class(matrix.role) + "\"",
                  escape_html(matrix.name));
  if (!matrix.columns.empty()) {
    std::string head = matrix.rows.empty() ? "" : "<td></td>";
    for (size_t i = first; i < end; ++i) {
      head += element("th scope=\"col\"", escape_html(matrix.columns[i]));
    }
    html += element("thead", element("tr", head));
  }
  html += "<tbody>";
  for (size_t row = 0; row < matrix.values.size(); ++row) {
    std::string cells;
    if (!matrix.rows.empty()) {
      const bool is_long = display_width(matrix.rows[row]) > kWidestRowName;
      cells += element(is_long ? "th scope=\"row\" class=\"long\"" : "th scope=\"row\"",
                       escape_html(matrix.rows[row]));
    }
    for (size_t i = first; i < end; ++i) {
      cells += cell(matrix, matrix.values[row][i], whole, darkest);
    }
    const auto mark = " data-row=\"" + std::to_string(row) + "\"";
    html += element("tr" + (rows_ask(matrix) ? mark : ""), cells) + "\n";
  }
  return html + "</tbody></table>\n";
}

/// Wide matrices are split by columns. Terms without a name have that of their step.
std::string terms(const std::vector<Term>& line, const std::string& step) {
  std::string html;
  std::string name;
  for (const auto& [sign, matrix] : line) {
    auto before = sign.empty() ? "" : element("span class=\"sign\"", escape_html(sign));
    const size_t columns = matrix.values.empty() ? 0 : matrix.values.front().size();
    for (size_t first = 0, end = 0; first < columns; first = end, before.clear()) {
      end = end_of_table(matrix, first);
      html += element("div class=\"term\"", before + table(matrix, first, end));
    }
    for (const auto& part : {sign, matrix.name}) {
      if (!part.empty()) name += (name.empty() ? "" : " ") + part;
    }
  }
  return scrolling(element("div class=\"terms\"", html), name.empty() ? step : name);
}

std::string lookup_list(const std::vector<Lookup>& found) {
  std::string html;
  for (size_t row = 0; row < found.size(); ++row) {
    std::string shares = element("h3", escape_html(found[row].word));
    for (const auto& share : found[row].shares) {
      const auto style = fmt::format("b style=\"--w:{:.3f}\"", share.weight);
      shares += element("div class=\"share\"", element("span", escape_html(share.word)) +
                                                   element(style, "") +
                                                   element("span", share_text(share.weight)));
    }
    // A single list belongs to a final state, or to the only word: the query chooser does not
    // select it.
    const auto mark = found.size() > 1 ? " data-row=\"" + std::to_string(row) + "\"" : "";
    html += element("div class=\"lookup\"" + mark, shares) + "\n";
  }
  return element("div class=\"lookups\"", html) + "\n";
}

std::string heading(const Text& title, const Text& text, size_t number) {
  return element("h2", std::to_string(number) + ". " + both(title)) + "\n" +
         element("p", both(text)) + "\n";
}

std::string section(const FigureTable& table, size_t number) {
  std::vector<std::string> head;
  for (const auto& column : table.columns) head.push_back(both(column));
  std::string rows;
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (size_t i = 1; i < row.size(); ++i) cells.push_back(escape_html(row[i]));
    rows += table_row(escape_html(row.front()), cells);
  }
  return element("section class=\"step\"", heading(table.title, table.text, number) +
                                               scrolling_table(head, rows, table.title.english)) +
         "\n";
}

std::string section(const Step& step, size_t number) {
  auto html = heading(step.title, step.text, number);
  if (!step.equation.empty()) {
    html += element("p class=\"equation\"", escape_html(step.equation)) + "\n";
  }
  for (const auto& line : step.lines) html += terms(line, step.title.english);
  if (!step.worked.empty()) {
    const auto worked = in_order(step.worked, {", ", ") = ", ": ("});
    html += element("p class=\"worked\"", escape_html(worked)) + "\n";
  }
  if (!step.lookups.empty()) html += lookup_list(step.lookups);
  return element("section class=\"step\"", html) + "\n";
}

/// Radio buttons to choose a query word; nothing without words.
std::string chooser(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  std::string html = element("span class=\"faint\"", bilingual("Follow a word:", "낱말 따라가기:"));
  for (size_t i = 0; i < words.size(); ++i) {
    const auto label = element(fmt::format("label for=\"word{}\"", i), escape_html(words[i]));
    html += fmt::format(
        "<span><input type=\"radio\" name=\"asking\" id=\"word{0}\" value=\"{0}\">{1}</span>", i,
        label);
  }
  return element("div class=\"asking switch\" role=\"radiogroup\" aria-label=\"Follow a word\"",
                 html) +
         "\n";
}

std::string picture(const Explanation& explanation) {
  if (explanation.nodes.empty()) {
    return element("div class=\"step\"", attention_box(explanation.learned)) + "\n";
  }
  return scrolling(bilingual(flow_picture(explanation, Language::kEnglish).svg,
                             flow_picture(explanation, Language::kKorean).svg),
                   explanation.title.english);
}

}  // namespace

std::string explanation_page(const Explanation& explanation, Language language) {
  const auto style = std::string(nmt_flow_css()) + std::string(nmt_explain_css());
  const auto* first = explanation.nodes.empty() ? nullptr : &explanation.nodes.front().matrix;
  const auto words = first == nullptr   ? explanation.learned.target
                     : rows_ask(*first) ? first->rows
                                        : std::vector<std::string>();
  auto html = page_begin(explanation.title.in(language), style,
                         language == Language::kKorean ? "ko" : "en") +
              "<main>\n" + element("h1", both(explanation.title)) + "\n" +
              element("p class=\"introduction\"", both(explanation.introduction)) + "\n" +
              (explanation.about.english.empty()
                   ? ""
                   : element("p class=\"introduction\"", both(explanation.about)) + "\n") +
              picture(explanation) + chooser(words);
  for (size_t i = 0; i < explanation.steps.size(); ++i) {
    html += section(explanation.steps[i], i + 1);
  }
  for (size_t i = 0; i < explanation.tables.size(); ++i) {
    html += section(explanation.tables[i], explanation.steps.size() + i + 1);
  }
  return html + "</main>\n" + page_end(nmt_explain_js());
}

std::string explanation_picture(const Explanation& explanation, Language language) {
  return picture_file(explanation, language, attention_svg_style() + std::string(nmt_flow_css()));
}

}  // namespace nmt
