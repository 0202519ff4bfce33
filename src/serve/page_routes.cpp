#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "pages/embedded_file.h"
#include "serve/routes.h"

NMT_EMBED_FILE(nmt_serve_page_html, NMT_ASSET_DIR "/page/page.html");
NMT_EMBED_FILE(nmt_serve_page_css, NMT_ASSET_DIR "/page/page.css");
NMT_EMBED_FILE(nmt_serve_page_js, NMT_ASSET_DIR "/page/page.js");
NMT_EMBED_FILE(nmt_openapi_json, NMT_ASSET_DIR "/page/openapi.json");

namespace nmt {
namespace {

void add_file(HttpServer& server, const char* path, std::string_view bytes, const char* type) {
  server.Get(path, [bytes, type](const httplib::Request&, httplib::Response& response) {
    response.set_header("Cache-Control", "no-cache");
    response.set_header("Content-Security-Policy",
                        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src "
                        "'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'");
    response.set_content(bytes.data(), bytes.size(), type);
  });
}

}  // namespace

void add_page_routes(HttpServer& server, Service& service) {
  add_file(server, "/", nmt_serve_page_html(), "text/html; charset=utf-8");
  add_file(server, "/page.css", nmt_serve_page_css(), "text/css; charset=utf-8");
  add_file(server, "/page.js", nmt_serve_page_js(), "text/javascript; charset=utf-8");
  add_file(server, "/openapi.json", nmt_openapi_json(), "application/json");
  server.Get("/health", [](const httplib::Request&, httplib::Response& response) {
    send_json(response, {{"status", "ok"}});
  });
  server.Get("/metrics", [&service](const httplib::Request&, httplib::Response& response) {
    response.set_content(service.metrics().text(), "text/plain; version=0.0.4; charset=utf-8");
  });
  // Pages of other origins may ask too, as LibreTranslate lets them: nothing here goes by cookies.
  server.set_default_headers({{"Access-Control-Allow-Origin", "*"},
                              {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                              {"Access-Control-Allow-Methods", "GET, POST, OPTIONS"},
                              {"X-Content-Type-Options", "nosniff"}});
  server.Options(
      "/.*", [](const httplib::Request&, httplib::Response& response) { response.status = 204; });
}

}  // namespace nmt
