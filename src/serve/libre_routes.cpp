#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "serve/routes.h"
#include "text/language_identifier.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// A request to /translate.
struct LibreRequest {
  std::vector<std::string> texts;
  bool is_list = false;
  DocumentFormat format = DocumentFormat::kText;
  bool unchanged = false;  // from a language into itself
  int64_t alternatives = 0;
  OrderedJson detected;  // one for each text when the source is "auto"
};

std::string primary(const std::string& code) { return code.substr(0, code.find('-')); }

/// "xx", an unknown language, matches every code.
bool is_language(const std::string& code, const std::string& language) {
  return language == "xx" || primary(code) == primary(language);
}

/// Both languages with their probabilities, the likelier first. What is left of 100 % is a third
/// language's. Languages that share a vocabulary are told apart by their scripts, if these differ.
OrderedJson detect(const std::string& text, const Service& service) {
  const auto& direction = service.direction();
  const auto& identifier = service.language_identifier();
  auto [source, target, neither] = identifier.identify(text);
  if (!identifier.has_two_vocabularies()) {
    const double source_script = script_share(text, direction.source);
    const double target_script = script_share(text, direction.target);
    const double sum = std::max(source_script + target_script, 1e-9);
    source = source_script / sum;
    target = target_script / sum;
  }
  const auto guess = [](const std::string& code, double share) {
    return OrderedJson{{"confidence", std::round(share * 1000) / 10}, {"language", code}};
  };
  auto guesses =
      OrderedJson::array({guess(direction.source, source), guess(direction.target, target)});
  if (target > source) std::swap(guesses[0], guesses[1]);
  return guesses;
}

LibreRequest read_request(const ApiRequest& request, const Service& service) {
  const auto& direction = service.direction();
  LibreRequest read;
  read.texts = request.texts("q");
  read.is_list = request.is_list("q");
  const auto source = request.required_text("source");
  const auto target = request.required_text("target");
  read.format = Service::format_of(request);
  read.alternatives = request.integer("alternatives", 0, 0, 15);
  if (source == "auto") {
    for (const auto& text : read.texts) {
      read.detected.push_back(detect(text, service).front());
    }
  } else if (source == target) {
    read.unchanged = true;
  } else if (!is_language(source, direction.source)) {
    throw HttpError(400, source + " is not supported; this server translates from " +
                             direction.source + " to " + direction.target);
  }
  if (!read.unchanged && !is_language(target, direction.target)) {
    throw HttpError(400, target + " is not supported; this server translates from " +
                             direction.source + " to " + direction.target);
  }
  return read;
}

OrderedJson translate_all(const LibreRequest& request, Service& service) {
  std::vector<Document> texts;
  for (const auto& text : request.texts) texts.push_back(service.parse(text, request.format));
  auto options = service.options().translation;
  const bool by_itself = !request.detected.empty();
  options.pass_through =
      options.pass_through || (by_itself && service.language_identifier().has_two_vocabularies());
  options.n_best = request.alternatives + 1;
  options.beam_size = std::max(options.beam_size, options.n_best);
  options.scores = options.n_best > 1;
  const auto translations = service.translate(texts, options);
  auto translated = OrderedJson::array();
  auto alternatives = OrderedJson::array();
  for (size_t i = 0; i < texts.size(); ++i) {
    translated.push_back(texts[i].render(translations[i]));
    auto others = OrderedJson::array();
    for (int64_t rank = 1; rank <= request.alternatives; ++rank) {
      others.push_back(texts[i].render(translations[i], static_cast<size_t>(rank)));
    }
    alternatives.push_back(std::move(others));
  }
  OrderedJson answer = {{"translatedText", std::move(translated)}};
  if (request.alternatives > 0) answer["alternatives"] = std::move(alternatives);
  return answer;
}

OrderedJson answer_translate(const ApiRequest& api, Service& service) {
  const auto request = read_request(api, service);
  service.require_characters(request.texts);
  OrderedJson answer = request.unchanged ? OrderedJson{{"translatedText", request.texts}}
                                         : translate_all(request, service);
  if (!request.detected.empty()) answer["detectedLanguage"] = request.detected;
  if (!request.is_list) {
    for (auto& [name, value] : answer.items()) value = OrderedJson(value.front());
  }
  return answer;
}

OrderedJson languages(const Direction& direction) {
  const auto entry = [](const std::string& code, std::vector<std::string> targets) {
    return OrderedJson{
        {"code", code}, {"name", language_name(code)}, {"targets", std::move(targets)}};
  };
  auto list = OrderedJson::array({entry(direction.source, {direction.target})});
  if (direction.source != direction.target) list.push_back(entry(direction.target, {}));
  return list;
}

OrderedJson frontend_settings(const Service& service) {
  const auto& direction = service.direction();
  const auto language = [](const std::string& code) {
    return OrderedJson{{"code", code}, {"name", language_name(code)}};
  };
  return {{"apiKeys", service.requires_key()},
          {"charLimit", service.options().max_characters},
          {"keyRequired", service.requires_key()},
          {"language",
           {{"source", language(direction.source)}, {"target", language(direction.target)}}},
          {"suggestions", false},
          {"supportedFilesFormat", OrderedJson::array()}};
}

}  // namespace

void add_libre_routes(HttpServer& server, Service& service) {
  add_api_route(server, service, "/translate", [&service](const ApiRequest& request) {
    return json_response(answer_translate(request, service));
  });
  add_api_route(server, service, "/detect", [&service](const ApiRequest& request) {
    const auto text = request.required_text("q");
    service.require_characters({text});
    return json_response(detect(text, service));
  });
  server.get("/languages", [&service](const HttpRequest&) {
    return json_response(languages(service.direction()));
  });
  server.get("/frontend/settings",
             [&service](const HttpRequest&) { return json_response(frontend_settings(service)); });
}

}  // namespace nmt
