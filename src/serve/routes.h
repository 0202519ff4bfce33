#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "serve/api_request.h"
#include "serve/http_server.h"
#include "serve/service.h"

namespace nmt {

/// What a POST to `path` answers; the key is checked before. ApiError, Busy and Error that `handle`
/// throws become {"error": …} with their status.
using ApiHandler = std::function<void(const ApiRequest&, httplib::Response&)>;
void add_api_route(HttpServer& server, const Service& service, const std::string& path,
                   ApiHandler handle);

void send_json(httplib::Response& response, const nlohmann::ordered_json& json);
nlohmann::ordered_json error_json(const std::string& message);

/// What an exception means to a client; to be called while it is handled.
struct Failure {
  int status;
  std::string message;
};
Failure current_failure();

// Each adds the routes of one kind.
void add_libre_routes(HttpServer& server, Service& service);  // as LibreTranslate's clients know
void add_v1_routes(HttpServer& server, Service& service);     // what is more
void add_page_routes(HttpServer& server, Service& service);   // for people and machines that watch

/// For whatever no route answered.
void add_error_answers(HttpServer& server);

/// The answer to who is turned away before a route is looked for.
std::string refusal(int status, const std::string& reason);

/// A request's route as it is counted: one of those that there are, or "other".
std::string route_name(std::string_view request);

}  // namespace nmt
