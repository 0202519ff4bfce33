#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "http/http_message.h"

namespace nmt {

struct HttpOptions {
  using Clock = std::chrono::steady_clock;

  size_t max_header = 16 << 10;  // bytes of the request line and headers
  size_t max_body = 1 << 20;     // bytes
  size_t max_connections = 4096;
  size_t max_waiting = 2048;               // complete requests waiting for a thread
  size_t max_buffered = 256 << 20;         // bytes of all in transit, and as many waiting
  std::chrono::seconds queue_timeout{30};  // of a complete request waiting for a thread
  std::chrono::seconds read_timeout{10};   // of a request, from its first byte
  std::chrono::seconds idle_timeout{30};   // between requests
  std::chrono::seconds write_timeout{20};  // until the client has taken a small response
  std::chrono::seconds linger_timeout{2};  // until the client closes after the last response
  std::chrono::seconds drain_timeout{60};  // of requests in progress once the server stops
  int threads = 2;                         // that run handlers
  std::function<Clock::time_point()> now = [] { return Clock::now(); };

  std::function<void()> on_start = {};  // called once all threads run
  /// Called if handlers still work a moment after drain_timeout, although their clients are
  /// disconnected. run() would wait for them; this may end the process instead.
  std::function<void()> on_hanging_handlers = {};
  /// Asked before each request; while false, requests get 503. Must not allocate.
  std::function<bool()> has_memory = [] { return true; };
  /// Headers to send with the response to a request, which is empty if the client sent no valid
  /// HTTP.
  std::function<HttpHeaders(const HttpRequest& request)> response_headers = {};
  /// The body and type of error responses that no handler made; by default the message as plain
  /// text.
  std::function<HttpResponse(int status, const std::string& message)> error_response = {};
  /// Called for each response from any thread; `route` is a known path or "other".
  std::function<void(const HttpRequest& request, const std::string& route, int status,
                     Clock::duration waited)>
      on_response = {};
};

/// A server's certificate and private key, in PEM.
struct TlsFiles {
  std::string certificate;  // followed by those that sign it
  std::string private_key;  // of that certificate, without a password

  bool are_given() const { return !certificate.empty(); }
};

/// Throws Error if a file cannot be used or they do not belong together.
void require_valid_certificate(const TlsFiles& files);

/// Serves many clients: one thread does all reading and writing without blocking, others run the
/// handlers. A slow or broken client does not delay the others.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(HttpRequest& request)>;

  /// Listens on HOST:PORT; port 0 picks a free one. Throws Error.
  HttpServer(const std::string& host, int port);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Encrypts new connections (TLS 1.2 or 1.3). May be called again, for renewed files, from the
  /// `stopping` callback of run(); open connections keep the old ones. Throws Error.
  void use_tls(const TlsFiles& files);
  bool has_tls() const;

  int port() const;
  /// A URL at which this machine reaches the server.
  std::string url() const;
  /// Whether it listens on all addresses of this machine.
  bool is_everywhere() const;
  /// Whether only this machine reaches the server.
  bool is_local() const;

  /// A path other than "/" that ends with a slash also matches every name directly below it. A
  /// handler may block; its exceptions become current_http_error(). GET handlers also serve HEAD.
  void get(const std::string& path, Handler handler);
  void post(const std::string& path, Handler handler);

  /// Serves until `stopping` returns true, asked ten times a second, and then until the requests
  /// that have arrived are answered, at most for drain_timeout, and all handlers have returned.
  /// Call once. Throws Error when a thread cannot be started.
  void run(const HttpOptions& options, const std::function<bool()>& stopping);

  size_t open_connections() const;
  /// How often accepting a connection failed, for example for lack of file descriptors.
  size_t failed_accepts() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nmt
