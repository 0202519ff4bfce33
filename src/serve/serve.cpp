#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "errors/error.h"
#include "errors/log.h"
#include "processes/heap.h"
#include "processes/interrupt.h"
#include "processes/memory_reserve.h"
#include "serve/request_log.h"
#include "serve/routes.h"

namespace nmt {
namespace {

using Clock = HttpOptions::Clock;

constexpr rlim_t kOtherFiles = 512;  // open besides connections
constexpr std::chrono::seconds kReleaseInterval{10};

/// How many connections the limit of open files permits, at most `wanted`.
size_t possible_connections(size_t wanted) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, wanted + kOtherFiles));
  ::setrlimit(RLIMIT_NOFILE, &files);
  const rlim_t usable =
      files.rlim_cur > 2 * kOtherFiles ? files.rlim_cur - kOtherFiles : files.rlim_cur / 2;
  return std::min<size_t>(wanted, usable);
}

/// Handler threads wait while their sentences are translated; there are enough for the next batch
/// to gather meanwhile.
int handler_threads(int callers, int64_t batch_size) {
  return static_cast<int>(std::clamp<int64_t>(2 * batch_size * callers, 128, 1024));
}

/// No Access-Control headers for a page that may not use the server: its browser then blocks the
/// response.
HttpHeaders cors_headers(const AccessOptions& access, const HttpRequest& request) {
  if (access.allowed_origins.empty()) return {};
  const auto origin = access.allowed_origin(request.header("origin"));
  HttpHeaders headers = {{"Vary", "Origin"}};
  if (origin.empty()) return headers;
  headers.emplace_back("Access-Control-Allow-Origin", origin);
  headers.emplace_back("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
  if (request.method == "OPTIONS") {
    headers.emplace_back("Access-Control-Allow-Headers", "Authorization, Content-Type");
    headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, OPTIONS");
  }
  return headers;
}

HttpOptions http_options(Service& service, RequestLog& log) {
  auto http = service.options().http;
  const size_t wanted = http.max_connections;
  http.max_connections = possible_connections(wanted);
  if (http.max_connections < wanted) {
    log_warning("{} connections at most, not {}, as the limit of open files permits (ulimit -n)",
                http.max_connections, wanted);
  }
  http.threads =
      handler_threads(service.models().callers(), service.options().translation.batch_size);
  http.response_headers = [&access = service.options().access](const HttpRequest& request) {
    auto headers = cors_headers(access, request);
    headers.emplace_back("X-Content-Type-Options", "nosniff");
    return headers;
  };
  http.has_memory = has_memory_reserve;
  http.error_response = [](int, const std::string& message) {
    return json_response({{"error", message}, {"message", message}});  // DeepL's clients read that
  };
  http.on_response = [&log, &metrics = service.metrics()](const HttpRequest& request,
                                                          const std::string& route, int status,
                                                          Clock::duration waited) {
    metrics.count_request(route, status, waited);
    if (route != "/health") log.write(request, route, status, waited);
  };
  return http;
}

/// Logged once, for whoever runs the server.
void warn_of_open_doors(const HttpServer& server, const Service& service) {
  if (server.is_local()) return;
  const auto& options = service.options();
  if (!service.access().requires_key()) {
    log_warning(
        "{}: other machines can use this server without a key; use --api-key-file "
        "(nmt serve --new-key makes keys)",
        options.host);
  }
  if (!server.has_tls() && options.access.trusted_proxies.empty()) {
    log_warning("{}: keys and texts are sent unencrypted; use --certificate, or a proxy with TLS",
                options.host);
  }
}

/// On SIGHUP: errors are logged, and whatever cannot be reloaded stays in use.
void reload(HttpServer& server, Service& service) {
  const bool has_keys = service.access().requires_key();
  const auto& tls = service.options().tls;
  if (!has_keys && !tls.are_given()) log_info("SIGHUP: no API keys or certificate to reload");
  if (has_keys) service.access().reload_keys();
  if (!tls.are_given()) return;
  try {
    server.use_tls(tls);
    log_info("{}: certificate loaded", tls.certificate);
  } catch (const Error& error) {
    log_error("{}; the certificate in use stays", error.what());
  }
}

}  // namespace

void serve(ModelCatalog& models, const ServeOptions& options,
           const std::function<void(const std::string& address)>& listening) {
  HttpServer server(options.host, options.port);
  if (options.tls.are_given()) server.use_tls(options.tls);
  Service service(models, options);
  add_libre_routes(server, service);
  add_file_routes(server, service);
  add_deepl_routes(server, service);
  add_v1_routes(server, service);
  add_page_routes(server, service);
  RequestLog log;
  auto http = http_options(service, log);
  keep_memory_reserve();
  http.on_start = [&] {
    const auto others = " and all other addresses of this machine (" + options.host + ")";
    listening(server.url() + (server.is_everywhere() ? others : ""));
  };
  http.on_hanging_handlers = [] {
    log_warning("server stopped; requests that take too long are aborted");
    std::_Exit(EXIT_SUCCESS);  // threads that cannot be interrupted cannot be joined either
  };
  warn_of_open_doors(server, service);
  auto released = Clock::now();
  server.run(http, [&] {
    if (Clock::now() - released > kReleaseInterval && has_memory_reserve()) {
      release_freed_memory();  // of peaks; the threads' parts of the heap would keep it
      released = Clock::now();
    }
    service.files().remove_expired();
    log.end_second();
    if (took_hangup()) reload(server, service);
    return interrupted();
  });
}

}  // namespace nmt
