#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "http/http_server.h"
#include "serve/api_request.h"
#include "serve/service.h"

namespace nmt {

/// Answers a POST to `path` whose API key has been checked.
using ApiHandler = std::function<HttpResponse(const ApiRequest& request)>;
void add_api_route(HttpServer& server, const Service& service, const std::string& path,
                   const ApiHandler& handle);

HttpResponse json_response(const nlohmann::ordered_json& json);
nlohmann::ordered_json error_json(const std::string& message);

// Each adds the routes of one kind.
void add_libre_routes(HttpServer& server, Service& service);  // LibreTranslate's interface
void add_v1_routes(HttpServer& server, Service& service);     // everything beyond it
void add_page_routes(HttpServer& server, Service& service);   // the page, health and metrics

}  // namespace nmt
