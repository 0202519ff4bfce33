#include "serve/routes.h"

#include "files/json.h"
#include "unicode/code_points.h"

namespace nmt {
namespace {

const std::string kFormType = "application/x-www-form-urlencoded";

/// `auth_key` is DeepL's old name.
std::string key_of(const ApiRequest& request) {
  return request.text("api_key", request.text("auth_key", ""));
}

/// The caller. Counts the request, even if it fails later.
Caller count_request(HttpRequest& http, Access& access, const std::string& key) {
  auto caller = access.identify(http, key);
  if (!caller.key_name.empty()) http.notes = "  key " + caller.key_name;
  access.count(caller, 0);
  return caller;
}

/// Checks the key before parsing the body, unless the key is in the body. A malformed request
/// counts for its address.
ApiRequest parse_request(HttpRequest& http, Access& access, Caller& caller) {
  bool has_counted = false;
  const auto count = [&](const std::string& key) {
    has_counted = true;
    caller = count_request(http, access, key);
  };
  try {
    const auto key = key_in_head(http);
    const bool key_in_body = key.empty() && access.requires_key();
    if (!key_in_body) count(key);
    const bool in_query = http.method != "POST" || http.body.empty();
    auto request = in_query ? ApiRequest::parse(kFormType, http.query)
                            : ApiRequest::parse(http.header("content-type"), http.body);
    const auto body_key = key_of(request);  // also marks the key's fields as read
    if (key_in_body) count(body_key);
    return request;
  } catch (const HttpError&) {
    if (!has_counted) access.count_unknown(http);
    throw;
  }
}

}  // namespace

HttpResponse json_response(const nlohmann::ordered_json& json) {
  return {200, "application/json", dump_json(json) + "\n"};
}

std::string key_in_head(const HttpRequest& request) {
  const auto authorization = request.header("authorization");
  for (const std::string scheme : {"bearer ", "deepl-auth-key "}) {
    if (to_lower(authorization.substr(0, scheme.size())) != scheme) continue;
    return std::string(trimmed(authorization.substr(scheme.size())));
  }
  return key_of(ApiRequest::parse(kFormType, request.query));
}

HttpServer::Handler client_handler(Service& service, HttpResponse (*handle)(const ClientCall&)) {
  return [&service, handle](HttpRequest& http) {
    Caller caller;
    const auto request = parse_request(http, service.access(), caller);
    service.access().require_no_rebinding(http);
    service.require_list_entries(request.longest_list());
    const int64_t characters = request.characters({"q", "s", "text", "prefix", "constraints"});
    http.notes += "  characters " + std::to_string(characters);
    for (const char* name : {"q", "text"}) {
      if (!service.options().access.log_text || !request.has(name)) continue;
      http.notes += "  text " + dump_json(nlohmann::ordered_json(request.texts(name)));
    }
    service.require_characters(characters);
    service.access().count(caller, characters, 0);
    return handle({request, http, caller, service});
  };
}

}  // namespace nmt
