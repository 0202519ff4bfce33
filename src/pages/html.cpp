#include "pages/html.h"

#include "pages/embedded_file.h"
#include "unicode/substrings.h"

NMT_EMBED_FILE(nmt_palette_css, NMT_ASSET_DIR "/palette.css");
NMT_EMBED_FILE(nmt_attention_css, NMT_ASSET_DIR "/attention.css");
NMT_EMBED_FILE(nmt_attention_js, NMT_ASSET_DIR "/attention.js");
NMT_EMBED_FILE(nmt_page_css, NMT_ASSET_DIR "/page.css");
NMT_EMBED_FILE(nmt_page_js, NMT_ASSET_DIR "/page.js");

namespace nmt {

std::string_view palette_css() { return nmt_palette_css(); }
std::string_view attention_css() { return nmt_attention_css(); }
std::string_view attention_js() { return nmt_attention_js(); }

std::string escape_script(std::string json) {
  replace_all(json, "<", "\\u003c");  // in JSON, '<' occurs only in strings
  return json;
}

std::string bilingual(std::string_view english, std::string_view korean) {
  std::string html = "<span class=\"en\">";
  html += english;
  html += "</span><span class=\"ko\" lang=\"ko\">";
  html += korean;
  return html + "</span>";
}

std::string element(const std::string& name, const std::string& content) {
  return "<" + name + ">" + content + "</" + name.substr(0, name.find(' ')) + ">";
}

std::string scrolling(std::string_view content, std::string_view name) {
  return "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" + escape_html(name) +
         "\">" + std::string(content) + "</div>\n";
}

std::string table_row(const std::string& head, const std::vector<std::string>& cells) {
  auto html = element("th scope=\"row\"", head);
  for (const auto& cell : cells) html += element("td", cell);
  return element("tr", html) + "\n";
}

std::string scrolling_table(const std::vector<std::string>& head, const std::string& rows,
                            std::string_view name) {
  std::string html;
  for (const auto& cell : head) html += element(cell.empty() ? "td" : "th scope=\"col\"", cell);
  return scrolling(element("table", element("thead", element("tr", html)) + element("tbody", rows)),
                   name);
}

std::string page_begin(std::string_view title, std::string_view style, std::string_view language) {
  const bool korean = language == "ko";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  html += escape_html(title);
  html += "</title>\n<style>\n";
  html += palette_css();
  html += nmt_page_css();
  html += attention_css();
  html += style;
  // Radio buttons precede everything that they switch, so that CSS alone can do it.
  html +=
      "</style>\n</head>\n<body>\n"
      "<header><div class=\"language\" role=\"radiogroup\" aria-label=\"Language\"><input "
      "type=\"radio\" "
      "name=\"language\" id=\"en\"";
  html += korean ? "" : " checked";
  html += "><label for=\"en\">English</label><input type=\"radio\" name=\"language\" id=\"ko\"";
  html += korean ? " checked" : "";
  html += "><label for=\"ko\" lang=\"ko\">한국어</label></div></header>\n";
  return html;
}

std::string page_end(std::string_view script) {
  std::string html = "<script>\n";
  html += attention_js();
  html += nmt_page_js();
  html += script;
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace nmt
