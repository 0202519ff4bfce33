#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "processes/interrupt.h"
#include "serve/routes.h"

namespace nmt {
namespace {

constexpr rlim_t kOtherFiles = 512;  // open besides connections

/// As many connections as this process may have files open, at most `wanted`.
size_t possible_connections(size_t wanted) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, wanted + kOtherFiles));
  ::setrlimit(RLIMIT_NOFILE, &files);
  const rlim_t usable =
      files.rlim_cur > 2 * kOtherFiles ? files.rlim_cur - kOtherFiles : files.rlim_cur / 2;
  return std::min<size_t>(wanted, usable);
}

/// Each handler's thread waits while its sentences are translated: enough for the next batch to
/// gather meanwhile.
int handler_threads(int callers, int64_t batch_size) {
  return static_cast<int>(std::clamp<int64_t>(2 * batch_size * callers, 128, 1024));
}

HttpOptions http_options(Service& service) {
  auto http = service.options().http;
  http.max_connections = possible_connections(http.max_connections);
  http.threads =
      handler_threads(service.models().callers(), service.options().translation.batch_size);
  // Pages of other origins may ask too, as with LibreTranslate: nothing depends on cookies.
  http.headers = {{"Access-Control-Allow-Origin", "*"},
                  {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                  {"Access-Control-Allow-Methods", "GET, POST, OPTIONS"},
                  {"X-Content-Type-Options", "nosniff"}};
  http.error_response = [](int, const std::string& message) {
    return json_response(error_json(message));
  };
  http.on_response = [&metrics = service.metrics()](const std::string& path, int status,
                                                    HttpOptions::Clock::duration waited) {
    metrics.count_request(path, status, waited);
  };
  return http;
}

std::string address_of(const std::string& host, int port) {
  const bool ipv6 = host.find(':') != std::string::npos;
  return "http://" + (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

void serve(ModelCatalog& models, const ServeOptions& options,
           const std::function<void(const std::string& address)>& listening) {
  HttpServer server(options.host, options.port);
  Service service(models, options);
  add_libre_routes(server, service);
  add_v1_routes(server, service);
  add_page_routes(server, service);
  auto http = http_options(service);
  http.on_start = [&] { listening(address_of(options.host, server.port())); };
  server.run(http, interrupted);
}

}  // namespace nmt
