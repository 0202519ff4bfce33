#include "attention_views/attention_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>

#include "attention_views/attention_matrix.h"
#include "attention_views/attention_svg.h"
#include "errors/error.h"
#include "files/json.h"
#include "formats/output_format.h"
#include "pages/embedded_file.h"
#include "pages/html.h"
#include "unicode/utf8.h"

NMT_EMBED_FILE(nmt_attention_css, NMT_ASSET_DIR "/attention.css");
NMT_EMBED_FILE(nmt_attention_js, NMT_ASSET_DIR "/attention.js");

namespace nmt {
namespace {

constexpr double kTextHeight = 52;  // number, source and translation above a matrix
constexpr double kBetween = 28;
constexpr double kMargin = 16;

/// 256 shades as two hexadecimal digits each: a tenth of the size of decimal numbers.
std::string shades(const AttentionMatrix& matrix) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const auto& row : matrix.weights) {
    for (const float weight : row) {
      const auto shade = static_cast<size_t>(std::lround(std::clamp(weight, 0.0F, 1.0F) * 255));
      text += kDigits[shade / 16];
      text += kDigits[shade % 16];
    }
  }
  return text;
}

std::string page_item(int64_t number, const std::string& source, const Translation& translation) {
  const auto matrix = attention_matrix(translation);
  const nlohmann::json item = {number,        source,        translation.text,
                               matrix.source, matrix.target, shades(matrix)};
  return escape_script(dump_json(item));
}

std::string json_item(int64_t number, const std::string& source, const Translation& translation) {
  OutputFormat format;
  format.json = format.words = format.attention = true;
  auto line = format_translation(number, source, translation, format);
  line.pop_back();  // the line's end
  return line;
}

std::string page_start() {
  return page_begin("Attention", nmt_attention_css()) + "<main>\n<h1>" +
         bilingual("Attention", "어텐션") + "</h1>\n<p class=\"faint\">" +
         bilingual("Rows are words of the translation, columns the source words they attend to.",
                   "번역의 각 낱말(행)이 원문의 어느 낱말(열)에 주목했는지 나타냅니다.") +
         "</p>\n<div class=\"columns\">\n<div class=\"chooser\">\n<label for=\"filter\">" +
         bilingual("Search", "찾기") +
         "</label> <input id=\"filter\" type=\"search\">\n<label for=\"sentences\">" +
         bilingual("Sentences", "문장") +
         "</label>\n<select id=\"sentences\" size=\"16\"></select>\n<p id=\"count\" "
         "class=\"faint\"></p>\n</div>\n<div class=\"sentence\">\n<p id=\"source\"></p>\n<p "
         "id=\"translation\"></p>\n<p id=\"reading\" role=\"status\" class=\"faint\"></p>\n<div "
         "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"matrix\"><table "
         "id=\"matrix\"></table></div>\n<p id=\"none\" class=\"faint\" hidden>" +
         bilingual("No attention to draw: the line is empty or too long, or the model has none.",
                   "그릴 것이 없습니다. 줄이 비었거나 너무 길거나, 모델에 어텐션이 없습니다.") +
         "</p>\n</div>\n</div>\n<noscript><p>" +
         bilingual("This page needs JavaScript; the output of --attention FILE.svg does not.",
                   "이 페이지는 JavaScript가 필요합니다. --attention FILE.svg로 만든 그림은 필요 "
                   "없습니다.") +
         "</p></noscript>\n</main>\n<script type=\"application/json\" id=\"data\">[";
}

std::string svg_head(double width, double height) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" "
             "viewBox=\"0 0 {0:g} {1:g}\">\n",
             width, height) +
         "<style>svg{background:#fff;font-family:system-ui,sans-serif}"
         "text{fill:#1d2430}.weight{fill:#2563c9}.number{fill:#667085}"
         "@media(prefers-color-scheme:dark){svg{background:#14171c}text{fill:#e6e9ee}"
         ".weight{fill:#7ab0ff}.number{fill:#98a2b3}}</style>\n";
}

std::string svg_text(double y, const char* style, const std::string& text) {
  return fmt::format("<text x=\"12\" y=\"{:g}\" font-size=\"14\" {}>{}</text>\n", y, style,
                     escape_html(text));
}

}  // namespace

AttentionFile::Form AttentionFile::form_of(const std::filesystem::path& path) {
  const auto ending = path.extension();
  if (ending == ".html") return Form::kHtml;
  if (ending == ".svg") return Form::kSvg;
  if (ending == ".json") return Form::kJson;
  throw UsageError("--attention " + path.string() +
                   ": unknown extension; use .html, .svg or .json");
}

AttentionFile::AttentionFile(const std::filesystem::path& path)
    : form_(form_of(path)), file_(path) {
  if (form_ == Form::kHtml) file_.write(page_start());
  if (form_ == Form::kJson) file_.write("[");
}

void AttentionFile::add(int64_t number, const std::string& source, const Translation& translation) {
  if (form_ == Form::kSvg) {
    add_picture(number, source, translation);
    return;
  }
  const auto item = form_ == Form::kHtml ? page_item(number, source, translation)
                                         : json_item(number, source, translation);
  file_.write((first_ ? "\n" : ",\n") + item);
  first_ = false;
}

void AttentionFile::add_picture(int64_t number, const std::string& source,
                                const Translation& translation) {
  const auto title = std::to_string(number) + "  " + source;
  pictures_ += svg_text(height_ + 22, "class=\"number\"", title);
  pictures_ += svg_text(height_ + 42, "font-weight=\"600\"", translation.text);
  const auto picture = attention_svg(attention_matrix(translation), title, height_ + kTextHeight);
  pictures_ += picture.svg;
  const auto letters =
      static_cast<double>(std::max(display_width(title), display_width(translation.text)));
  width_ = std::max({width_, picture.width, letters * 8.2 + 2 * kMargin});
  height_ += kTextHeight + picture.height + kBetween;
}

void AttentionFile::finish() {
  if (form_ == Form::kHtml) file_.write("\n]</script>\n" + page_end(nmt_attention_js()));
  if (form_ == Form::kJson) file_.write("\n]\n");
  if (form_ == Form::kSvg) file_.write(svg_head(width_, height_) + pictures_ + "</svg>\n");
  file_.finish();
}

}  // namespace nmt
