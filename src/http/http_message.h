#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace nmt {

/// Whether the client of a request has left, so that nobody reads the response. Null: never.
/// Thread-safe.
using HasLeft = std::function<bool()>;

/// A complete request.
struct HttpRequest {
  std::string method;
  std::string path;                            // without the query
  std::string query;                           // after '?', still percent-encoded
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
  std::string peer_address;  // IP address of the connection, as normalized_address() returns it
  std::string id;            // unique to the request; sent back as X-Request-Id
  std::string notes;         // of its handler, for on_response
  HasLeft has_left;

  std::string header(const std::string& lower_case_name) const {
    const auto found = headers.find(lower_case_name);
    return found == headers.end() ? "" : found->second;
  }
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpResponse {
  /// Returns false once the client has left. Throws HttpError 413 for a piece above 32 MiB.
  using Send = std::function<bool(std::string_view bytes)>;

  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  HttpHeaders headers = {};
  /// If set, sends the body in pieces, instead of `body`. Returns the status to log: `status` is
  /// sent before the outcome is known.
  std::function<int(const Send& send)> stream = {};
};

/// Thrown by a handler to send this status and message.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, const std::string& message)
      : HttpError(status, message, std::chrono::seconds(status == 503 ? 1 : 0)) {}
  HttpError(int status, const std::string& message, std::chrono::seconds retry_after)
      : std::runtime_error(message), status_(status), retry_after_(retry_after) {}
  int status() const { return status_; }
  std::chrono::seconds retry_after() const { return retry_after_; }  // 0: do not retry

 private:
  int status_;
  std::chrono::seconds retry_after_;
};

/// Thrown by a handler for a request that cannot be served as it is.
class InvalidRequest : public HttpError {
 public:
  explicit InvalidRequest(const std::string& problem, int status = 400)
      : HttpError(status, "Invalid request: " + problem) {}
};

/// Thrown by a handler that stops because its client has left. The status, nginx's, is for the log.
class ClientLeft : public HttpError {
 public:
  ClientLeft() : HttpError(499, "the client closed the connection") {}
};

/// The response to the exception being handled: an HttpError's own, 400 for an Error, 503 when out
/// of memory, otherwise 500. The last two are logged with `route`.
HttpError current_http_error(const std::string& route);

}  // namespace nmt
