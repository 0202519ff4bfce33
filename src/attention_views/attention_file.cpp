#include "attention_views/attention_file.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "attention_views/attention_box.h"
#include "attention_views/attention_matrix.h"
#include "attention_views/attention_svg.h"
#include "errors/error.h"
#include "files/json.h"
#include "formats/output_format.h"
#include "pages/embedded_file.h"
#include "pages/html.h"
#include "pages/text_width.h"

NMT_EMBED_FILE(nmt_attention_file_css, NMT_ASSET_DIR "/attention_file.css");
NMT_EMBED_FILE(nmt_attention_file_js, NMT_ASSET_DIR "/attention_file.js");

namespace nmt {
namespace {

constexpr double kTextHeight = 52;  // number, source and translation above a matrix
constexpr double kBetween = 28;
constexpr double kMargin = 16;
constexpr double kTextSize = 14;

std::string page_item(int64_t number, const std::string& source, const Translation& translation) {
  const auto matrix = attention_matrix(translation);
  const nlohmann::json item = {number,        source,        translation.text,
                               matrix.source, matrix.target, percent_digits(matrix)};
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
  return page_begin("Attention", nmt_attention_file_css()) + "<main>\n<h1>" +
         bilingual("Attention", "어텐션") + "</h1>\n<p class=\"faint\">" +
         bilingual("The source words, in percent, that each word of the translation attends to.",
                   "번역의 각 낱말이 원문의 어느 낱말에 주목했는지를 백분율로 보여 줍니다.") +
         "</p>\n<div class=\"columns\">\n<div class=\"chooser\">\n<label for=\"filter\">" +
         bilingual("Search", "찾기") +
         "</label> <input id=\"filter\" type=\"search\">\n<label for=\"sentences\">" +
         bilingual("Sentences", "문장") +
         "</label>\n<select id=\"sentences\" size=\"16\"></select>\n<p id=\"count\" "
         "class=\"faint\"></p>\n</div>\n<div class=\"sentence\">\n<p id=\"source\"></p>\n<p "
         "id=\"translation\"></p>\n<div id=\"matrix\" class=\"card\"></div>\n<p id=\"none\" "
         "class=\"faint\" hidden>" +
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
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.1f}\" height=\"{1:.1f}\" "
             "viewBox=\"0 0 {0:.1f} {1:.1f}\">\n",
             width, height) +
         "<style>" + attention_svg_style() + "</style>\n";
}

std::string svg_text(double y, const char* style, const std::string& text) {
  return fmt::format("<text x=\"{:g}\" y=\"{:.1f}\" font-size=\"{:g}\" {}>{}</text>\n", kMargin, y,
                     kTextSize, style, escape_html(text));
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
  pictures_ += svg_text(height_ + 22, "class=\"quiet\"", title);
  pictures_ += svg_text(height_ + 42, "font-weight=\"600\"", translation.text);
  const auto picture = attention_svg(attention_matrix(translation), title, height_ + kTextHeight);
  pictures_ += picture.svg;
  width_ = std::max(
      {width_, picture.width, text_width({title, translation.text}, kTextSize) + 2 * kMargin});
  height_ += kTextHeight + picture.height + kBetween;
}

void AttentionFile::finish() {
  if (form_ == Form::kHtml) file_.write("\n]</script>\n" + page_end(nmt_attention_file_js()));
  if (form_ == Form::kJson) file_.write("\n]\n");
  if (form_ == Form::kSvg) file_.write(svg_head(width_, height_) + pictures_ + "</svg>\n");
  file_.finish();
}

}  // namespace nmt
