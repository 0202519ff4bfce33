#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "files/json.h"
#include "formats/output_format.h"
#include "serve/routes.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// A request to /v1/translate.
struct V1Request {
  std::vector<Document> texts;
  bool is_list = false;
  bool stream = false;
  TranslationOptions options;
  TranslationConstraints guide;
};

bool is_guided(const TranslationConstraints& guide) {
  return !guide.prefix.empty() || !guide.phrases.empty();
}

V1Request read_v1_request(const ApiRequest& request, const Service& service) {
  V1Request read;
  const auto texts = request.texts("q");
  service.require_characters(texts);
  read.is_list = request.is_list("q");
  read.options = service.options_of(request);
  read.guide.prefix = request.text("prefix", "");
  service.require_characters({read.guide.prefix});
  if (request.has("constraints")) read.guide.phrases = request.texts("constraints");
  service.require_characters(read.guide.phrases);
  const auto format = Service::format_of(request);
  if (format != DocumentFormat::kText && is_guided(read.guide)) {
    throw HttpError(400, "Invalid request: prefix and constraints need format text");
  }
  // A prefix or constraint applies to the whole text.
  const bool split = request.flag("split", !is_guided(read.guide));
  for (const auto& text : texts) read.texts.push_back(service.parse(text, format, split));
  read.stream = request.flag("stream", false);
  request.require_all_read();
  return read;
}

/// A text with its sentences; without markup, each with what stands before it.
OrderedJson text_json(const Document& text, const std::vector<Translation>& translations,
                      const TranslationOptions& options) {
  OutputFormat format;
  format.words = options.words;
  format.attention = options.attention;
  const auto between = text.between();
  OrderedJson json = {{"text", text.render(translations)}, {"sentences", OrderedJson::array()}};
  for (size_t i = 0; i < translations.size(); ++i) {
    OrderedJson sentence = OrderedJson::object();
    if (!between.empty()) sentence["before"] = between[i];
    sentence.update(translation_json(text.sentences()[i], translations[i], format));
    json["sentences"].push_back(std::move(sentence));
  }
  if (!between.empty()) json["after"] = between.back();
  return json;
}

OrderedJson answer_v1_translate(const V1Request& request, Service& service) {
  const auto translations = service.translate(request.texts, request.options, request.guide);
  if (!request.is_list) return text_json(request.texts[0], translations[0], request.options);
  OrderedJson answer = {{"translations", OrderedJson::array()}};
  for (size_t i = 0; i < request.texts.size(); ++i) {
    answer["translations"].push_back(text_json(request.texts[i], translations[i], request.options));
  }
  return answer;
}

std::string event(const char* name, const OrderedJson& data) {
  return std::string("event: ") + name + "\ndata: " + dump_json(data) + "\n\n";
}

/// Ends a translation whose client has left.
struct ClientLeft {};

/// Translates sentence by sentence; sends each while it grows.
void stream_translation(const V1Request& request, Service& service,
                        const HttpResponse::Send& send) {
  const auto& text = request.texts.front();
  const auto options = Service::with_words(request.options, request.texts);
  std::vector<Translation> translations;
  for (size_t i = 0; i < text.sentences().size(); ++i) {
    const auto watch = [&](const std::string& so_far) {
      if (!send(event("text", {{"sentence", i}, {"text", so_far}}))) throw ClientLeft();
    };
    service.queue().run_alone([&](const Translator& translator) {
      translations.push_back(
          translator.translate(text.sentences()[i], options, request.guide, watch));
    });
  }
  send(event("done", text_json(text, translations, request.options)));
}

HttpResponse stream_v1_translate(V1Request&& request, Service& service) {
  if (request.is_list) throw HttpError(400, "Invalid request: only one text can be streamed");
  service.require_sentences(request.texts);
  HttpResponse response;
  response.type = "text/event-stream";
  response.headers = {{"Cache-Control", "no-store"}};
  response.stream = [request = std::move(request), &service](const HttpResponse::Send& send) {
    try {
      stream_translation(request, service, send);
    } catch (const ClientLeft&) {
      return;
    } catch (...) {
      send(event("error", error_json(current_http_error("/v1/translate").what())));
    }
  };
  return response;
}

OrderedJson answer_alternatives(const ApiRequest& request, Service& service) {
  const auto sentence = request.required_text("q");
  const auto prefix = request.text("prefix", "");
  service.require_characters({sentence, prefix});
  const int64_t count = request.integer("count", 5, 1, 20);
  const auto options = service.options_of(request);
  request.require_all_read();
  std::vector<Alternative> found;
  service.queue().run_alone([&](const Translator& translator) {
    found = translator.alternatives(sentence, prefix, count, options);
  });
  OrderedJson answer = {{"alternatives", OrderedJson::array()}};
  for (const auto& [word, text, probability] : found) {
    answer["alternatives"].push_back(
        {{"word", word}, {"probability", probability}, {"text", text}});
  }
  return answer;
}

OrderedJson info(const Service& service) {
  const auto& options = service.options();
  return {{"source", options.direction.source},     {"target", options.direction.target},
          {"api_key", service.requires_key()},      {"max_characters", options.max_characters},
          {"max_sentences", options.max_sentences}, {"max_body_bytes", options.http.max_body}};
}

}  // namespace

void add_v1_routes(HttpServer& server, Service& service) {
  add_api_route(server, service, "/v1/translate", [&service](const ApiRequest& request) {
    auto read = read_v1_request(request, service);
    if (read.stream) return stream_v1_translate(std::move(read), service);
    return json_response(answer_v1_translate(read, service));
  });
  add_api_route(server, service, "/v1/alternatives", [&service](const ApiRequest& request) {
    return json_response(answer_alternatives(request, service));
  });
  server.get("/v1/info", [&service](const HttpRequest&) { return json_response(info(service)); });
}

}  // namespace nmt
