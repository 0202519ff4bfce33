#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "pages/embedded_file.h"
#include "pages/html.h"
#include "serve/routes.h"

NMT_EMBED_FILE(nmt_serve_page_html, NMT_ASSET_DIR "/page/page.html");
NMT_EMBED_FILE(nmt_serve_page_css, NMT_ASSET_DIR "/page/page.css");
NMT_EMBED_FILE(nmt_serve_texts_js, NMT_ASSET_DIR "/page/texts.js");
NMT_EMBED_FILE(nmt_serve_page_js, NMT_ASSET_DIR "/page/page.js");
NMT_EMBED_FILE(nmt_openapi_json, NMT_ASSET_DIR "/page/openapi.json");

namespace nmt {
namespace {

/// Answers with the texts, one after the other.
void add_file(HttpServer& server, const char* path, std::initializer_list<std::string_view> texts,
              const char* type) {
  std::string bytes;
  for (const auto text : texts) bytes += text;
  server.get(path, [bytes, type](const HttpRequest&) -> HttpResponse {
    return {200,
            type,
            bytes,
            {{"Cache-Control", "no-cache"},
             {"Content-Security-Policy",
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
              "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
             {"Referrer-Policy", "no-referrer"}}};
  });
}

}  // namespace

void add_page_routes(HttpServer& server, Service& service) {
  add_file(server, "/", {nmt_serve_page_html()}, "text/html; charset=utf-8");
  add_file(server, "/page.css", {palette_css(), attention_css(), nmt_serve_page_css()},
           "text/css; charset=utf-8");
  add_file(server, "/page.js", {attention_js(), nmt_serve_texts_js(), nmt_serve_page_js()},
           "text/javascript; charset=utf-8");
  add_file(server, "/openapi.json", {nmt_openapi_json()}, "application/json");
  server.get("/health", [](const HttpRequest&) { return json_response({{"status", "ok"}}); });
  server.get("/metrics", [&](const HttpRequest& request) -> HttpResponse {
    service.access().require_local_or_key(request, key_in_head(request));
    service.metrics().set_connections(static_cast<int64_t>(server.open_connections()));
    service.metrics().set_models(service.models().states(), service.models().memory_in_use());
    return {200, "text/plain; version=0.0.4; charset=utf-8", service.metrics().text()};
  });
}

}  // namespace nmt
