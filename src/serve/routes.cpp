#include "serve/routes.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "errors/error.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::array<std::string_view, 14> kRoutes = {"/",
                                                      "/page.css",
                                                      "/page.js",
                                                      "/openapi.json",
                                                      "/health",
                                                      "/metrics",
                                                      "/languages",
                                                      "/translate",
                                                      "/detect",
                                                      "/v1/translate",
                                                      "/v1/alternatives",
                                                      "/v1/info",
                                                      "/frontend/settings",
                                                      "/favicon.ico"};

void send_failure(httplib::Response& response, const Failure& failure) {
  response.status = failure.status;
  if (failure.status == 503) response.set_header("Retry-After", "1");
  send_json(response, error_json(failure.message));
}

std::string given_key(const httplib::Request& http, const ApiRequest& request) {
  const std::string bearer = "Bearer ";
  const auto authorization = http.get_header_value("Authorization");
  if (authorization.rfind(bearer, 0) == 0) return authorization.substr(bearer.size());
  if (http.has_param("api_key")) return http.get_param_value("api_key");
  return request.text("api_key", "");
}

std::string read_body(const httplib::ContentReader& reader, size_t most) {
  std::string body;
  reader([&](const char* bytes, size_t size) {
    body.append(bytes, size);
    return body.size() <= most;
  });
  return body;
}

const char* reason_phrase(int status) {
  switch (status) {
    case 408:
      return "Request Timeout";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 431:
      return "Request Header Fields Too Large";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Bad Request";
  }
}

}  // namespace

OrderedJson error_json(const std::string& message) { return {{"error", message}}; }

void send_json(httplib::Response& response, const OrderedJson& json) {
  response.set_content(json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n",
                       "application/json");
}

Failure current_failure() {
  try {
    throw;
  } catch (const ApiError& error) {
    return {error.status(), error.what()};
  } catch (const Busy& busy) {
    return {503, busy.what()};
  } catch (const Error& error) {
    return {400, std::string("Invalid request: ") + error.what()};
  } catch (const std::bad_alloc&) {
    return {503, "out of memory; try again in a moment"};
  } catch (const std::exception& error) {
    return {500, error.what()};
  }
}

void add_api_route(HttpServer& server, const Service& service, const std::string& path,
                   ApiHandler handle) {
  server.Post(path, [&service, handle = std::move(handle)](const httplib::Request& http,
                                                           httplib::Response& response,
                                                           const httplib::ContentReader& reader) {
    try {
      const auto type = http.get_header_value("Content-Type");
      const auto body = read_body(reader, service.options().connections.request.max_body);
      const auto request = ApiRequest::parse(type, body);
      service.require_key(given_key(http, request));
      handle(request, response);
    } catch (...) {
      send_failure(response, current_failure());
    }
  });
}

void add_error_answers(HttpServer& server) {
  server.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, std::exception_ptr error) {
        try {
          std::rethrow_exception(std::move(error));
        } catch (...) {
          send_failure(response, current_failure());
        }
      });
  const auto answer = [](const httplib::Request& request, httplib::Response& response) {
    if (!response.body.empty()) return;
    const bool known = std::find(kRoutes.begin(), kRoutes.end(), request.path) != kRoutes.end();
    if (response.status == 404 && known) response.status = 405;
    const char* message = response.status == 404   ? "Not found"
                          : response.status == 405 ? "Method not allowed"
                                                   : "Bad request";
    send_json(response, error_json(message));
  };
  server.set_error_handler(httplib::Server::Handler(answer));
}

std::string refusal(int status, const std::string& reason) {
  const auto body = error_json(reason).dump() + "\n";
  return "HTTP/1.1 " + std::to_string(status) + " " + reason_phrase(status) +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         (status == 503 ? "\r\nRetry-After: 1" : "") +
         "\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n" + body;
}

std::string route_name(std::string_view request) {
  const size_t begin = std::min(request.find(' '), request.size() - 1) + 1;
  const auto rest = request.substr(request.empty() ? 0 : begin);
  const auto path = rest.substr(0, rest.find_first_of(" ?#\r\n"));
  const bool known = std::find(kRoutes.begin(), kRoutes.end(), path) != kRoutes.end();
  return std::string(known ? path : "other");
}

}  // namespace nmt
