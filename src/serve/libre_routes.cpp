#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "files/json.h"
#include "serve/file_documents.h"
#include "serve/routes.h"
#include "serve/text_translation.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson detection_json(const LanguageShare& guess) {
  return {{"confidence", std::round(guess.share * 1000) / 10}, {"language", guess.code}};
}

OrderedJson detection_json(const std::vector<LanguageShare>& guesses) {
  auto list = OrderedJson::array();
  for (const auto& guess : guesses) list.push_back(detection_json(guess));
  return list;
}

HttpResponse answer_translate(const ClientCall& call) {
  const auto& api = call.fields;
  TextsRequest request;
  request.job.texts = api.texts("q");
  request.job.has_left = call.http.has_left;
  const auto source = api.required_text("source");
  const auto target = api.required_text("target");
  request.job.format = Service::format_of(api);
  request.alternatives = api.integer("alternatives", 0, 0, 15);
  find_paths(request, source, target, call.service);
  OrderedJson answer = {{"translatedText", OrderedJson::array()}};
  auto pivots = OrderedJson::array();
  bool has_pivot = false;
  for (const auto& one : translate_texts(request, call.service)) {
    answer["translatedText"].push_back(one.text);
    if (request.alternatives > 0) answer["alternatives"].push_back(one.alternatives);
    pivots.push_back(one.pivot.empty() ? OrderedJson() : OrderedJson(one.pivot));
    has_pivot = has_pivot || !one.pivot.empty();
  }
  for (const auto& one : request.detected) {
    answer["detectedLanguage"].push_back(detection_json(one));
  }
  if (has_pivot) answer["pivot"] = pivots;
  if (!api.is_list("q")) {
    for (auto& [name, value] : answer.items()) value = OrderedJson(value.front());
  }
  return json_response(answer);
}

HttpResponse answer_detect(const ClientCall& call) {
  return json_response(detection_json(call.service.detect(call.fields.required_text("q"))));
}

/// A better translation that a client proposes.
HttpResponse answer_suggest(const ClientCall& call) {
  const auto& request = call.fields;
  auto& service = call.service;
  service.access().require_allowed_page(call.http);
  if (service.suggestions() == nullptr) {
    throw HttpError(403, "Suggestions are disabled on this server; start it with --suggestions.");
  }
  const auto text = request.required_text("q");
  const auto suggestion = request.required_text("s");
  for (const auto& [name, value] : {std::pair{"q", text}, {"s", suggestion}}) {
    if (value.find_first_not_of(" \t\r\n") == std::string::npos) {
      throw InvalidRequest(std::string(name) + " is empty");
    }
  }
  auto source = request.required_text("source");
  const auto target = request.required_text("target");
  if (source == "auto") source = service.detect(text).front().code;
  service.path_between(source, target);
  OrderedJson line = {{"q", text}, {"s", suggestion}, {"source", source}, {"target", target}};
  if (!call.caller.key_name.empty()) line["key"] = call.caller.key_name;
  service.suggestions()->add(dump_json(line));
  return json_response({{"success", true}});
}

OrderedJson languages(const std::vector<Direction>& directions) {
  auto list = OrderedJson::array();
  for (const auto& code : languages_of(directions)) {
    list.push_back(
        {{"code", code}, {"name", language_name(code)}, {"targets", targets_of(directions, code)}});
  }
  return list;
}

OrderedJson frontend_settings(const Service& service) {
  const auto& direction = service.models().directions().front();
  const auto language = [](const std::string& code) {
    return OrderedJson{{"code", code}, {"name", language_name(code)}};
  };
  return {{"apiKeys", service.access().requires_key()},
          {"charLimit", service.options().max_characters},
          {"keyRequired", service.access().requires_key()},
          {"language",
           {{"source", language(direction.source)}, {"target", language(direction.target)}}},
          {"suggestions", !service.options().suggestions.empty()},
          {"filesTranslation", true},
          {"supportedFilesFormat", file_endings()}};
}

}  // namespace

void add_libre_routes(HttpServer& server, Service& service) {
  server.post("/translate", client_handler(service, answer_translate));
  server.post("/detect", client_handler(service, answer_detect));
  server.post("/suggest", client_handler(service, answer_suggest));
  server.get("/languages", [&service](const HttpRequest&) {
    return json_response(languages(service.models().directions()));
  });
  server.get("/frontend/settings",
             [&service](const HttpRequest&) { return json_response(frontend_settings(service)); });
}

}  // namespace nmt
