#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "http/http_server.h"
#include "serve/api_request.h"
#include "serve/service.h"

namespace nmt {

/// The API key in a request's Authorization header or query; "" without one.
std::string key_in_head(const HttpRequest& request);

/// A request of an authorized caller.
struct ClientCall {
  const ApiRequest& fields;  // of a GET request: from its query
  HttpRequest& http;
  const Caller& caller;
  Service& service;
};

/// Checks a request against access and limits, then calls `handle`.
HttpServer::Handler client_handler(Service& service, HttpResponse (*handle)(const ClientCall&));

HttpResponse json_response(const nlohmann::ordered_json& json);

// Each adds the routes of one kind.
void add_libre_routes(HttpServer& server, Service& service);  // LibreTranslate's API
void add_file_routes(HttpServer& server, Service& service);   // its translation of files
void add_deepl_routes(HttpServer& server, Service& service);  // DeepL's API
void add_v1_routes(HttpServer& server, Service& service);     // nmt's own API
void add_page_routes(HttpServer& server, Service& service);   // the page, health and metrics

}  // namespace nmt
