#include "pages/html.h"

#include "pages/embedded_file.h"

NMT_EMBED_FILE(nmt_page_css, NMT_ASSET_DIR "/page.css");
NMT_EMBED_FILE(nmt_page_js, NMT_ASSET_DIR "/page.js");

namespace nmt {
std::string escape_script(std::string json) {
  // In JSON, '<' occurs only in strings.
  for (size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at)) {
    json.replace(at, 1, "\\u003c");
  }
  return json;
}

std::string bilingual(std::string_view english, std::string_view korean) {
  std::string html = "<span class=\"en\">";
  html += english;
  html += "</span><span class=\"ko\" lang=\"ko\">";
  html += korean;
  return html + "</span>";
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
  html += nmt_page_css();
  html += style;
  // Radio buttons precede everything that they switch, so that the style sheet does it without
  // scripts.
  html +=
      "</style>\n</head>\n<body>\n"
      "<div class=\"language\" role=\"radiogroup\" aria-label=\"Language\"><input type=\"radio\" "
      "name=\"language\" id=\"en\"";
  html += korean ? "" : " checked";
  html += "><label for=\"en\">English</label><input type=\"radio\" name=\"language\" id=\"ko\"";
  html += korean ? " checked" : "";
  html += "><label for=\"ko\" lang=\"ko\">한국어</label></div>\n";
  return html;
}

std::string page_end(std::string_view script) {
  std::string html = "<script>\n";
  html += nmt_page_js();
  html += script;
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace nmt
