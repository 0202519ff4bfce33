#include "serve/serve.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

#include "processes/interrupt.h"
#include "serve/routes.h"

namespace nmt {
namespace {

constexpr rlim_t kOtherFiles = 512;  // than connections

/// As many connections as the system lets this process have, at most those of the limits.
ConnectionLimits possible(ConnectionLimits limits) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return limits;
  const rlim_t wanted = limits.max_connections + kOtherFiles;
  files.rlim_cur = std::min(files.rlim_max, std::max(files.rlim_cur, wanted));
  ::setrlimit(RLIMIT_NOFILE, &files);
  const rlim_t usable =
      files.rlim_cur > 2 * kOtherFiles ? files.rlim_cur - kOtherFiles : files.rlim_cur / 2;
  limits.max_connections = std::min<size_t>(limits.max_connections, usable);
  return limits;
}

/// Threads that answer: behind each batch that is translated the next one gathers.
int answering_threads(const Translator& translator, int64_t batch_size) {
  const int64_t gathering = 2 * batch_size * translator.callers();
  return static_cast<int>(std::clamp<int64_t>(gathering, 128, 1024));
}

std::string address_of(const std::string& host, int port) {
  const bool ipv6 = host.find(':') != std::string::npos;
  return "http://" + (ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

}  // namespace

void serve(const Translator& translator, const ServeOptions& options,
           const std::function<void(const std::string& address)>& listening) {
  HttpServer server;
  const int port = server.listen_on(options.host, options.port);
  // What it tells clients; class Connections decides.
  server.set_keep_alive_timeout(options.connections.idle.count());
  server.set_keep_alive_max_count(1 << 20);
  Service service(translator, options);
  add_libre_routes(server, service);
  add_v1_routes(server, service);
  add_page_routes(server, service);
  add_error_answers(server);
  auto limits = possible(options.connections);
  limits.threads = answering_threads(translator, options.translation.batch_size);
  Connections connections(
      server.listener(), limits,
      [&server](Connection& connection) { return server.answer(connection); }, refusal, route_name,
      service.metrics());
  listening(address_of(options.host, port));
  connections.serve(interrupted);
}

}  // namespace nmt
