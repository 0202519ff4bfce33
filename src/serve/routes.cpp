#include "serve/routes.h"

#include "files/json.h"

namespace nmt {
namespace {

std::string given_key(const HttpRequest& http, const ApiRequest& request) {
  const auto in_body = request.text("api_key", "");
  const std::string bearer = "Bearer ";
  const auto authorization = http.header("authorization");
  if (authorization.rfind(bearer, 0) == 0) return authorization.substr(bearer.size());
  const auto query = ApiRequest::parse("application/x-www-form-urlencoded", http.query);
  return query.text("api_key", in_body);
}

}  // namespace

nlohmann::ordered_json error_json(const std::string& message) { return {{"error", message}}; }

HttpResponse json_response(const nlohmann::ordered_json& json) {
  return {200, "application/json", dump_json(json) + "\n"};
}

void add_api_route(HttpServer& server, const Service& service, const std::string& path,
                   const ApiHandler& handle) {
  server.post(path, [&service, handle](const HttpRequest& http) {
    const auto request = ApiRequest::parse(http.header("content-type"), http.body);
    service.require_key(given_key(http, request));
    return handle(request);
  });
}

}  // namespace nmt
