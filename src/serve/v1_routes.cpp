#include <algorithm>
#include <memory>
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
  TextJob job;
  bool is_list = false;
  bool stream = false;
  TranslationConstraints guide;
  std::string detected_source;  // where the source is "auto"
  bool unchanged = false;       // the texts are in the target language
};

/// The texts of a request, ready for the last model.
struct V1Texts {
  LastLeg leg;
  std::vector<Document> documents;
};

bool is_guided(const TranslationConstraints& guide) {
  return !guide.prefix.empty() || !guide.phrases.empty();
}

/// The direction of a request with `source`, `target`, both, or neither (then the first model's).
TranslationPath path_of(const ApiRequest& request, const Service& service) {
  const auto& directions = service.models().directions();
  const auto source = request.text("source", "");
  const auto target = request.text("target", "");
  if (!source.empty() && !target.empty()) return service.path_between(source, target);
  for (const auto same : {&same_code, &same_language}) {
    const auto is_asked_for = [&](const Direction& direction) {
      return (source.empty() || same(direction.source, source)) &&
             (target.empty() || same(direction.target, target));
    };
    const auto found = std::find_if(directions.begin(), directions.end(), is_asked_for);
    if (found != directions.end()) return {static_cast<size_t>(found - directions.begin())};
  }
  throw HttpError(
      400, source + target + " is not supported; GET /languages lists what this server translates");
}

/// Sets the path of a job whose source is "auto": one for all texts.
void detect_path(const ApiRequest& request, const Service& service, V1Request& read) {
  const auto target = request.text("target", service.models().directions().front().target);
  const auto text = Service::visible_text(read.job.texts, read.job.format);
  auto found = service.detect_path(text, target);
  read.job.detected = true;
  read.detected_source = found.language.code;
  read.job.path = std::move(found.path);
  read.unchanged = found.unchanged && !is_guided(read.guide);
}

V1Request read_v1_request(const ClientCall& call) {
  const auto& request = call.fields;
  const auto& service = call.service;
  V1Request read;
  read.job.texts = request.texts("q");
  read.job.has_left = call.http.has_left;
  read.is_list = request.is_list("q");
  read.guide.prefix = request.text("prefix", "");
  if (request.has("constraints")) read.guide.phrases = request.texts("constraints");
  read.job.format = Service::format_of(request);
  if (request.text("source", "") == "auto") {
    detect_path(request, service, read);
  } else {
    read.job.path = path_of(request, service);
  }
  read.job.options = service.options_of(request);
  if (read.job.format != DocumentFormat::kText && is_guided(read.guide)) {
    throw InvalidRequest("prefix and constraints need format text");
  }
  // A prefix or constraint applies to the whole text.
  read.job.split = request.flag("split", !is_guided(read.guide));
  if (request.has("split") && !read.job.split) read.job.options.split = LineSplit::kNone;
  read.stream = request.flag("stream", false);
  request.require_all_read();
  return read;
}

/// JSON of the text with that index and its sentences; without markup, each with the text before
/// it.
OrderedJson text_json(const V1Request& request, const V1Texts& texts, size_t index,
                      const std::vector<Translation>& translations) {
  OutputFormat format;
  format.words = texts.leg.options.words;
  format.attention = texts.leg.options.attention;
  const auto& text = texts.documents[index];
  const auto between = text.between();
  OrderedJson json = {
      {"text", request.unchanged ? texts.leg.texts[index] : text.render(translations)},
      {"sentences", OrderedJson::array()}};
  for (size_t i = 0; i < translations.size(); ++i) {
    OrderedJson sentence = OrderedJson::object();
    if (!between.empty()) sentence["before"] = between[i];
    sentence.update(translation_json(text.sentences()[i], translations[i], format));
    json["sentences"].push_back(std::move(sentence));
  }
  if (!between.empty()) json["after"] = between.back();
  return json;
}

/// Guided texts are split only while they are translated; each phrase is then tried in each
/// sentence.
void require_constrained_sentences(const V1Request& request, const LastLeg& leg,
                                   const Service& service) {
  const bool split = leg.options.split != LineSplit::kNone;
  service.require_sentences(service.parse(leg.texts, *leg.model, request.job.format, split),
                            std::max<size_t>(1, request.guide.phrases.size()));
}

V1Texts prepare_texts(const V1Request& request, Service& service) {
  V1Texts texts;
  texts.leg = service.reach_last_model(request.job);
  texts.documents =
      service.parse(texts.leg.texts, *texts.leg.model, request.job.format, request.job.split);
  service.require_sentences(texts.documents);
  if (is_guided(request.guide)) {
    texts.leg.kept.clear();
    require_constrained_sentences(request, texts.leg, service);
  }
  return texts;
}

std::vector<Translation> pass_through(const Document& text) {
  std::vector<Translation> translations;
  for (const auto& sentence : text.sentences()) translations.push_back(own_translation(sentence));
  return translations;
}

std::vector<std::vector<Translation>> translate(const V1Request& request, const V1Texts& texts,
                                                Service& service) {
  if (!request.unchanged) {
    return service.translate(texts.leg.model, texts.documents, texts.leg.options, texts.leg.kept,
                             request.job.has_left, request.guide);
  }
  std::vector<std::vector<Translation>> translations;
  for (const auto& text : texts.documents) translations.push_back(pass_through(text));
  return translations;
}

/// How the answer was found, if the request does not determine it.
void add_path(OrderedJson& answer, const V1Request& request, const LastLeg& leg) {
  if (!request.detected_source.empty()) answer["source"] = request.detected_source;
  if (!leg.pivot.empty()) answer["pivot"] = leg.pivot;
}

HttpResponse translate_at_once(const V1Request& request, Service& service) {
  const auto texts = prepare_texts(request, service);
  const auto translations = translate(request, texts, service);
  const auto json_of = [&](size_t i) { return text_json(request, texts, i, translations[i]); };
  OrderedJson answer;
  if (request.is_list) {
    answer["translations"] = OrderedJson::array();
    for (size_t i = 0; i < translations.size(); ++i) answer["translations"].push_back(json_of(i));
  } else {
    answer = json_of(0);
  }
  add_path(answer, request, texts.leg);
  return json_response(answer);
}

std::string event(const char* name, const OrderedJson& data) {
  return std::string("event: ") + name + "\ndata: " + dump_json(data) + "\n\n";
}

/// Translates sentence by sentence and streams each partial translation.
std::vector<Translation> stream_sentences(const V1Request& request, const V1Texts& texts,
                                          Service& service, const HttpResponse::Send& send) {
  const auto& text = texts.documents.front();
  const auto options = Service::with_words(texts.leg.options, texts.documents);
  const auto constraints = text.constraints(request.guide);
  std::vector<Translation> translations;
  for (size_t i = 0; i < text.sentences().size(); ++i) {
    const auto& sentence = text.sentences()[i];
    if (service.keeps(sentence, texts.leg.kept)) {
      translations.push_back(own_translation(sentence));
      continue;
    }
    const auto watch = [&](const std::string& so_far) {
      if (!send(event("text", {{"sentence", i}, {"text", so_far}}))) throw ClientLeft();
    };
    const auto& model = *texts.leg.model;
    const auto translate = [&] {
      translations.push_back(model.translator->translate(model.line(sentence), options,
                                                         model.in_line(constraints[i]), watch));
      service.metrics().count_batch(model.direction, {translations.back()});
    };
    service.queue().run_alone(translate, request.job.has_left);
  }
  return translations;
}

void stream_translation(const V1Request& request, const V1Texts& texts, Service& service,
                        const HttpResponse::Send& send) {
  const auto translations = request.unchanged ? pass_through(texts.documents.front())
                                              : stream_sentences(request, texts, service, send);
  auto answer = text_json(request, texts, 0, translations);
  add_path(answer, request, texts.leg);
  if (!send(event("done", answer))) throw ClientLeft();
}

HttpResponse translate_as_stream(V1Request&& request, Service& service) {
  if (request.is_list) throw InvalidRequest("only one text can be streamed");
  auto texts = std::make_shared<const V1Texts>(prepare_texts(request, service));
  HttpResponse response;
  response.type = "text/event-stream";
  // Without the second header, nginx would buffer the stream.
  response.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  response.stream = [request = std::move(request), texts = std::move(texts),
                     &service](const HttpResponse::Send& send) {
    try {
      stream_translation(request, *texts, service, send);
      return 200;
    } catch (...) {
      const auto error = current_http_error("/v1/translate");
      send(event("error", {{"error", error.what()}}));
      return error.status();
    }
  };
  return response;
}

HttpResponse answer_v1_translate(const ClientCall& call) {
  auto request = read_v1_request(call);
  if (request.stream) return translate_as_stream(std::move(request), call.service);
  return translate_at_once(request, call.service);
}

HttpResponse answer_alternatives(const ClientCall& call) {
  const auto& request = call.fields;
  auto& service = call.service;
  const auto sentence = request.required_text("q");
  const auto prefix = request.text("prefix", "");
  const int64_t count = request.integer("count", 5, 1, 20);
  for (const std::string field : {"n_best", "attention", "words"}) {
    if (request.has(field)) {
      throw InvalidRequest("alternatives have no '" + field + "'; omit it");
    }
  }
  TextJob job;
  job.texts = {sentence};
  job.has_left = call.http.has_left;
  job.path = path_of(request, service);
  job.options = service.options_of(request);
  request.require_all_read();
  const auto leg = service.reach_last_model(job);
  service.require_sentences(service.parse(leg.texts, *leg.model, job.format, /*split=*/true));
  std::vector<Alternative> found;
  const auto find = [&] {
    found = leg.model->translator->alternatives(leg.model->line(leg.texts.front()), prefix, count,
                                                leg.options);
    // Alternatives have no tokens.
    service.metrics().count_batch(leg.model->direction, static_cast<int64_t>(found.size()), 0, 0);
  };
  service.queue().run_alone(find, job.has_left);
  OrderedJson answer = {{"alternatives", OrderedJson::array()}};
  for (const auto& [word, text, probability] : found) {
    answer["alternatives"].push_back(
        {{"word", word}, {"probability", probability}, {"text", text}});
  }
  return json_response(answer);
}

OrderedJson info(const Service& service) {
  const auto& options = service.options();
  const auto& direction = service.models().directions().front();
  return {{"source", direction.source},
          {"target", direction.target},
          {"api_key", service.access().requires_key()},
          {"max_characters", options.max_characters},
          {"max_sentences", options.max_sentences},
          {"max_body_bytes", options.http.max_body}};
}

}  // namespace

void add_v1_routes(HttpServer& server, Service& service) {
  server.post("/v1/translate", client_handler(service, answer_v1_translate));
  server.post("/v1/alternatives", client_handler(service, answer_alternatives));
  server.get("/v1/info", [&service](const HttpRequest&) { return json_response(info(service)); });
}

}  // namespace nmt
