#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "files/json.h"
#include "serve/file_documents.h"
#include "serve/routes.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// A request to /translate.
struct LibreRequest {
  std::vector<std::string> texts;
  std::vector<TranslationPath> paths;  // of each text; empty: from a language into itself
  bool is_list = false;
  DocumentFormat format = DocumentFormat::kText;
  int64_t alternatives = 0;
  OrderedJson detected;  // one for each text when the source is "auto"
};

OrderedJson detection_json(const LanguageShare& guess) {
  return {{"confidence", std::round(guess.share * 1000) / 10}, {"language", guess.code}};
}

OrderedJson detection_json(const std::vector<LanguageShare>& guesses) {
  auto list = OrderedJson::array();
  for (const auto& guess : guesses) list.push_back(detection_json(guess));
  return list;
}

LibreRequest read_request(const ApiRequest& request, const Service& service) {
  LibreRequest read;
  read.texts = request.texts("q");
  read.is_list = request.is_list("q");
  const auto source = request.required_text("source");
  const auto target = request.required_text("target");
  read.format = Service::format_of(request);
  read.alternatives = request.integer("alternatives", 0, 0, 15);
  if (source == "auto") {
    for (const auto& text : read.texts) {
      const auto detected = service.detect(text);
      read.detected.push_back(detection_json(detected.front()));
      auto path = service.path_from(detected, target);
      if (service.stays_unchanged(detected.front(), target, path)) path.clear();
      read.paths.push_back(std::move(path));
    }
  } else {
    const auto path = source == target ? TranslationPath() : service.path_between(source, target);
    read.paths.assign(read.texts.size(), path);
  }
  return read;
}

/// One for each text.
struct LibreAnswer {
  std::vector<OrderedJson> translated;
  std::vector<OrderedJson> alternatives;
  std::vector<OrderedJson> pivots;  // null where there is none
};

/// Translates the texts with that path.
void translate_path(const LibreRequest& request, const TranslationPath& path, Service& service,
                    LibreAnswer& answer) {
  TextJob job;
  std::vector<size_t> places;
  for (size_t i = 0; i < request.texts.size(); ++i) {
    if (request.paths[i] != path) continue;
    places.push_back(i);
    job.texts.push_back(request.texts[i]);
  }
  job.path = path;
  job.format = request.format;
  job.detected = !request.detected.empty();
  job.options = service.options().translation;
  job.options.n_best = request.alternatives + 1;
  job.options.beam_size = std::max(job.options.beam_size, job.options.n_best);
  job.options.scores = job.options.n_best > 1;
  const auto leg = service.reach_last_model(job);
  const auto texts = service.parse(leg.texts, leg.model->translator, job.format, job.split);
  const auto translations = service.translate(leg.model, texts, leg.options);
  for (size_t i = 0; i < texts.size(); ++i) {
    const size_t place = places[i];
    answer.translated[place] = texts[i].render(translations[i]);
    for (int64_t rank = 1; rank <= request.alternatives; ++rank) {
      answer.alternatives[place].push_back(
          texts[i].render(translations[i], static_cast<size_t>(rank)));
    }
    if (!leg.pivot.empty()) answer.pivots[place] = leg.pivot;
  }
}

OrderedJson answer_translate(const ApiRequest& api, Service& service) {
  const auto request = read_request(api, service);
  LibreAnswer all{std::vector<OrderedJson>(request.texts.begin(), request.texts.end()),
                  std::vector<OrderedJson>(request.texts.size(), OrderedJson::array()),
                  std::vector<OrderedJson>(request.texts.size())};
  std::set<TranslationPath> paths(request.paths.begin(), request.paths.end());
  paths.erase(TranslationPath());
  for (const auto& path : paths) translate_path(request, path, service, all);
  OrderedJson answer = {{"translatedText", all.translated}};
  if (request.alternatives > 0) answer["alternatives"] = all.alternatives;
  if (!request.detected.empty()) answer["detectedLanguage"] = request.detected;
  const auto is_pivot = [](const OrderedJson& pivot) { return !pivot.is_null(); };
  if (std::any_of(all.pivots.begin(), all.pivots.end(), is_pivot)) answer["pivot"] = all.pivots;
  if (!request.is_list) {
    for (auto& [name, value] : answer.items()) value = OrderedJson(value.front());
  }
  return answer;
}

/// A better translation that a client proposes.
OrderedJson answer_suggest(const ApiRequest& request, const Caller& caller, Service& service) {
  if (service.suggestions() == nullptr) {
    throw HttpError(403, "Suggestions are disabled on this server.");
  }
  const auto text = request.required_text("q");
  const auto suggestion = request.required_text("s");
  auto source = request.required_text("source");
  const auto target = request.required_text("target");
  if (source == "auto") source = service.detect(text).front().code;
  service.path_between(source, target);
  OrderedJson line = {{"q", text}, {"s", suggestion}, {"source", source}, {"target", target}};
  if (!caller.key_name.empty()) line["key"] = caller.key_name;
  service.suggestions()->add(dump_json(line));
  return {{"success", true}};
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
          {"suggestions", service.suggestions() != nullptr},
          {"filesTranslation", true},
          {"supportedFilesFormat", file_endings()}};
}

}  // namespace

void add_libre_routes(HttpServer& server, Service& service) {
  add_api_route(server, service, "/translate", [&service](const ApiRequest& request) {
    return json_response(answer_translate(request, service));
  });
  add_api_route(server, service, "/detect", [&service](const ApiRequest& request) {
    const auto text = request.required_text("q");
    return json_response(detection_json(service.detect(text)));
  });
  add_client_route(server, service, "/suggest",
                   [&service](const ApiRequest& request, HttpRequest&, const Caller& caller) {
                     return json_response(answer_suggest(request, caller, service));
                   });
  server.get("/languages", [&service](const HttpRequest&) {
    return json_response(languages(service.models().directions()));
  });
  server.get("/frontend/settings",
             [&service](const HttpRequest&) { return json_response(frontend_settings(service)); });
}

}  // namespace nmt
