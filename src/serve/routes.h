#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "http/http_server.h"
#include "serve/api_request.h"
#include "serve/service.h"

namespace nmt {

/// The API key in a request's Authorization header or query; "" without one.
std::string key_in_head(const HttpRequest& request);

/// Answers a request of an authorized caller, from its fields and the HTTP message.
using ClientHandler =
    std::function<HttpResponse(const ApiRequest& request, HttpRequest& http, const Caller& caller)>;

/// Checks a request against access and limits, then calls `handle`. The fields of GET requests are
/// in the query.
HttpServer::Handler client_handler(Service& service, const ClientHandler& handle);

/// Answers a POST to `path` in the same way, from its fields only.
void add_api_route(HttpServer& server, Service& service, const std::string& path,
                   const std::function<HttpResponse(const ApiRequest& request)>& handle);

HttpResponse json_response(const nlohmann::ordered_json& json);
nlohmann::ordered_json error_json(const std::string& message);

// Each adds the routes of one kind.
void add_libre_routes(HttpServer& server, Service& service);  // LibreTranslate's API
void add_file_routes(HttpServer& server, Service& service);   // its translation of files
void add_deepl_routes(HttpServer& server, Service& service);  // DeepL's API
void add_v1_routes(HttpServer& server, Service& service);     // nmt's own API
void add_page_routes(HttpServer& server, Service& service);   // the page, health and metrics

}  // namespace nmt
