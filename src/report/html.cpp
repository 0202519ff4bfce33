#include "report/html.h"

#include "report/assets.h"
#include "support/utf8.h"

namespace nmt {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

std::string_view entity(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

bool is_forbidden_control(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return code < 0x20 && letter != '\t' && letter != '\n' && letter != '\r';
}

/// U+FFFE and U+FFFF.
bool is_noncharacter(std::string_view text) {
  return text.substr(0, 2) == "\xEF\xBF" && text.size() > 2 &&
         (text[2] == '\xBE' || text[2] == '\xBF');
}

}  // namespace

std::string escape_html(std::string_view text) {
  const auto valid = replace_invalid_utf8(text);
  std::string escaped;
  for (size_t i = 0; i < valid.size(); ++i) {
    const auto name = entity(valid[i]);
    if (!name.empty()) {
      escaped += name;
    } else if (is_forbidden_control(valid[i])) {
      escaped += kReplacement;
    } else if (is_noncharacter(std::string_view(valid).substr(i, 3))) {
      escaped += kReplacement;
      i += 2;
    } else {
      escaped += valid[i];
    }
  }
  return escaped;
}

std::string escape_script(std::string json) {
  // In JSON, '<' stands in strings alone.
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

std::string page_begin(std::string_view title, std::string_view style) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  html += escape_html(title);
  html += "</title>\n<style>\n";
  html += page_style();
  html += style;
  // Plain inputs before everything that they switch: the style sheet does it, with or without
  // scripts.
  html +=
      "</style>\n</head>\n<body>\n"
      "<div class=\"language\" role=\"radiogroup\" aria-label=\"Language\">"
      "<input type=\"radio\" name=\"language\" id=\"en\" checked><label for=\"en\">English</label>"
      "<input type=\"radio\" name=\"language\" id=\"ko\"><label for=\"ko\" "
      "lang=\"ko\">한국어</label>"
      "</div>\n";
  return html;
}

std::string page_end(std::string_view script) {
  std::string html = "<script>\n";
  html += page_script();
  html += script;
  return html + "</script>\n</body>\n</html>\n";
}

}  // namespace nmt
