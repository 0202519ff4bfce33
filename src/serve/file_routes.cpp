#include <algorithm>
#include <atomic>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "config/choice.h"
#include "errors/log.h"
#include "serve/file_documents.h"
#include "serve/routes.h"
#include "text/sentence_splitter.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

constexpr int kMaxAtOnce = 8;  // files unpacked in memory
const std::string kDownloads = "/download_file/";

/// One of the files that may be translated at the same time. Throws Busy.
class FilePlace {
 public:
  explicit FilePlace(std::atomic<int>& taken) : taken_(taken) {
    if (++taken_ <= kMaxAtOnce) return;
    --taken_;
    throw Busy("too many files are being translated; try again in a moment");
  }
  ~FilePlace() { --taken_; }
  FilePlace(const FilePlace&) = delete;
  FilePlace& operator=(const FilePlace&) = delete;

 private:
  std::atomic<int>& taken_;
};

/// Throws HttpError 400.
const NamedFile& read_file_field(const ApiRequest& request) {
  const auto& file = request.required_file("file");
  const auto& known = file_endings();
  if (std::find(known.begin(), known.end(), ending_of(file.name)) == known.end()) {
    throw InvalidRequest("file format not supported; it is one of " + list_of(known));
  }
  if (find_invalid_utf8(file.content) && !is_office_file(file.name)) {
    throw InvalidRequest("the file is not UTF-8; convert it");
  }
  return file;
}

std::string text_of_file(const NamedFile& file, const Service& service) {
  const FileDocuments documents(file, split_lines, service.options().http.max_body);
  return joined_sentences(documents.all());
}

/// Empty if the file stays unchanged.
TranslationPath path_of_file(const std::string& text, const std::string& source,
                             const std::string& target, const Service& service) {
  if (source != "auto") return service.path_unless_same(source, target);
  const auto found = service.detect_path(text, target);
  return found.unchanged ? TranslationPath() : found.path;
}

/// letter.docx as letter_en.docx.
std::string translated_name(const std::string& name, const std::string& target) {
  const auto base = std::filesystem::path(name.substr(name.find_last_of("/\\") + 1));
  return base.stem().string() + "_" + target + base.extension().string();
}

/// RFC 8187.
std::string percent_encoded(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_' || c == '-';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

/// The URL as the client reached the server. Its headers are not verified: false ones affect only
/// that client.
std::string url_of(const std::string& path, const HttpRequest& http, bool has_tls) {
  const auto host = http.header("host");
  if (host.empty()) return path;
  const auto forwarded = http.header("x-forwarded-proto");  // two proxies: https, http
  const auto scheme = trimmed(std::string_view(forwarded).substr(0, forwarded.find(',')));
  const bool secure = has_tls || to_lower(scheme) == "https";
  auto prefix = http.header("x-forwarded-prefix");  // of a proxy that passes on what is below it
  while (!prefix.empty() && prefix.back() == '/') prefix.pop_back();
  if (prefix.rfind('/', 0) != 0) prefix.clear();
  return (secure ? "https://" : "http://") + host + prefix + path;
}

HttpResponse answer_translate_file(const ClientCall& call) {
  auto& service = call.service;
  const auto& file = read_file_field(call.fields);
  const auto source = call.fields.required_text("source");
  const auto target = call.fields.required_text("target");
  const FilePlace place(service.files_in_progress());
  const auto text = text_of_file(file, service);
  const auto characters = static_cast<int64_t>(to_code_points(text).size());
  call.http.notes += "  in the file " + std::to_string(characters);
  service.require_characters(characters);
  const auto path = path_of_file(text, source, target, service);
  Service::refuse_catalog_pivot(path, format_of_file(file.name));
  service.access().count(call.caller, characters, 0);
  const auto translated = service.translate_file(file, path, source == "auto", call.http.has_left);
  const auto key = service.files().add({translated_name(file.name, target), translated});
  const auto url =
      url_of(kDownloads + key + ending_of(file.name), call.http, service.options().tls.are_given());
  return json_response({{"translatedFileUrl", url}});
}

HttpResponse download(const HttpRequest& request, Service& service) {
  const auto name = request.path.substr(kDownloads.size());
  const auto file = service.files().find(name.substr(0, name.find('.')));
  if (!file) throw HttpError(404, "no such file; it may have expired");
  // Name and content come from a client: a browser must not show the file as a page of this server.
  return {200,
          "application/octet-stream",
          file->content,
          {{"Content-Disposition", "attachment; filename*=UTF-8''" + percent_encoded(file->name)},
           {"Content-Security-Policy", "sandbox; default-src 'none'"},
           {"Cache-Control", "no-store"}}};
}

}  // namespace

void add_file_routes(HttpServer& server, Service& service) {
  server.post("/translate_file", client_handler(service, answer_translate_file));
  server.get(kDownloads,
             [&service](const HttpRequest& request) { return download(request, service); });
}

}  // namespace nmt
