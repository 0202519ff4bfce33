#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/choice.h"
#include "serve/routes.h"
#include "serve/text_translation.h"
#include "unicode/code_points.h"
#include "unicode/substrings.h"

namespace nmt {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::string_view kRoot = "<nmt>";
constexpr std::string_view kRootEnd = "</nmt>";
constexpr int64_t kNoLimit = 1'000'000'000'000;  // characters; DeepL reports this for no limit

// Unsupported parameters that would change the translation.
constexpr const char* kUnsupported[] = {"context",
                                        "custom_instructions",
                                        "glossary_id",
                                        "glossary_ids",
                                        "ignore_tags",
                                        "non_splitting_tags",
                                        "splitting_tags",
                                        "style_id",
                                        "tag_handling_version",
                                        "translation_memory_id",
                                        "translation_memory_threshold"};

[[noreturn]] void refuse_parameter(const std::string& name, const std::string& problem) {
  throw HttpError(400, "'" + name + "' " + problem);
}

/// The value, which must be one of those.
std::string choice_of(const ApiRequest& request, const std::string& name,
                      const std::vector<std::string>& known) {
  auto value = request.text(name, known.front());
  if (std::find(known.begin(), known.end(), value) == known.end()) {
    refuse_parameter(name, "must be one of " + list_of(known));
  }
  return value;
}

/// EN-US as en-US.
std::string code_from_deepl(const std::string& code) {
  const size_t region = std::min(code.find('-'), code.size());
  return to_ascii_lower(code.substr(0, region)) + code.substr(region);
}

std::string code_for_deepl(std::string code) {
  for (auto& c : code) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return code;
}

/// Refuses what this server cannot do; accepts parameters that make no difference here.
void require_supported(const ApiRequest& request) {
  for (const char* name : kUnsupported) {
    if (!request.has_content(name)) continue;
    refuse_parameter(name, "is not supported by this server; omit it");
  }
  const auto formality =
      choice_of(request, "formality", {"default", "prefer_more", "prefer_less", "more", "less"});
  if (formality == "more" || formality == "less") {
    refuse_parameter("formality", "is not supported for given 'target_lang'.");
  }
  if (!request.flag("outline_detection", true)) {
    refuse_parameter("outline_detection", "cannot be disabled on this server; omit it");
  }
  choice_of(request, "model_type", {"latency_optimized", "prefer_quality_optimized"});
  request.flag("preserve_formatting", true);     // it always is
  request.flag("enable_beta_languages", false);  // every model's languages are enabled
}

/// DeepL also accepts XML without a root.
bool lacks_root(const std::string& xml) try {
  Service::visible_text({xml}, DocumentFormat::kXml);
  return begins_with(xml, kRoot);  // which without_root() would remove
} catch (const HttpError&) {
  return !begins_with(xml, "<?xml");
}

std::string with_root(const std::string& xml) {
  return lacks_root(xml) ? std::string(kRoot) + xml + std::string(kRootEnd) : xml;
}

std::string without_root(const std::string& xml) {
  if (!begins_with(xml, kRoot)) return xml;
  return xml.substr(kRoot.size(), xml.size() - kRoot.size() - kRootEnd.size());
}

TextsRequest read_deepl_request(const ClientCall& call) {
  const auto& request = call.fields;
  TextsRequest read;
  read.job.texts = request.texts("text");
  read.job.has_left = call.http.has_left;
  require_supported(request);
  const auto tags = request.text("tag_handling", "").empty()
                        ? std::string()
                        : choice_of(request, "tag_handling", {"html", "xml"});
  if (tags == "html") read.job.format = DocumentFormat::kHtml;
  if (tags == "xml") {
    read.job.format = DocumentFormat::kXml;
    for (auto& text : read.job.texts) text = with_root(text);
  }
  const auto split = choice_of(request, "split_sentences", {"1", "0", "nonewlines"});
  read.job.split = split != "0";
  if (split == "nonewlines" && tags.empty()) {
    const auto is_line_end = [](char c) { return c == '\n' || c == '\r'; };
    for (auto& text : read.job.texts) std::replace_if(text.begin(), text.end(), is_line_end, ' ');
  }
  const auto source = request.text("source_lang", "");
  find_paths(read, source.empty() ? "auto" : code_from_deepl(source),
             code_from_deepl(request.required_text("target_lang")), call.service);
  return read;
}

HttpResponse answer_deepl_translate(const ClientCall& call) {
  const auto& request = call.fields;
  const auto read = read_deepl_request(call);
  const bool billed = request.flag("show_billed_characters", false);
  const auto source = request.text("source_lang", "");
  request.require_all_read();
  const auto translated = translate_texts(read, call.service);
  const auto own = [&](const std::string& text) {
    return read.job.format == DocumentFormat::kXml ? without_root(text) : text;
  };
  auto list = OrderedJson::array();
  for (size_t i = 0; i < translated.size(); ++i) {
    const auto detected = read.detected.empty() ? source : read.detected[i].code;
    OrderedJson one = {{"detected_source_language", code_for_deepl(detected)},
                       {"text", own(translated[i].text)}};
    if (billed) one["billed_characters"] = to_code_points(own(read.job.texts[i])).size();
    if (request.has("model_type")) one["model_type_used"] = "latency_optimized";
    list.push_back(std::move(one));
  }
  return json_response({{"translations", std::move(list)}});
}

/// DeepL's clients refuse EN and PT as targets.
std::vector<std::pair<std::string, std::string>> target_variants(const std::string& code) {
  if (code == "en") return {{"EN-GB", "English (British)"}, {"EN-US", "English (American)"}};
  if (code == "pt") {
    return {{"PT-BR", "Portuguese (Brazilian)"}, {"PT-PT", "Portuguese (European)"}};
  }
  return {{code_for_deepl(code), language_name(code)}};
}

HttpResponse answer_deepl_languages(const ClientCall& call) {
  const auto type = choice_of(call.fields, "type", {"source", "target"});
  call.fields.require_all_read();
  const auto& directions = call.service.models().directions();
  const auto codes = languages_of(directions);
  auto list = OrderedJson::array();
  for (const auto& code : codes) {
    if (type == "source") {
      if (targets_of(directions, code).empty()) continue;
      list.push_back({{"language", code_for_deepl(code)}, {"name", language_name(code)}});
      continue;
    }
    const bool is_target = std::any_of(codes.begin(), codes.end(), [&](const auto& source) {
      return !find_path(directions, source, code).empty();
    });
    if (!is_target) continue;
    for (const auto& [name, meaning] : target_variants(code)) {
      list.push_back({{"language", name}, {"name", meaning}, {"supports_formality", false}});
    }
  }
  return json_response(list);
}

HttpResponse answer_deepl_usage(const ClientCall& call) {
  return json_response({{"character_count", call.service.access().characters_of(call.caller)},
                        {"character_limit", kNoLimit}});
}

}  // namespace

void add_deepl_routes(HttpServer& server, Service& service) {
  server.post("/v2/translate", client_handler(service, answer_deepl_translate));
  server.get("/v2/languages", client_handler(service, answer_deepl_languages));
  server.post("/v2/languages", client_handler(service, answer_deepl_languages));
  server.get("/v2/usage", client_handler(service, answer_deepl_usage));
  server.post("/v2/usage", client_handler(service, answer_deepl_usage));
}

}  // namespace nmt
