#pragma once

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "http/http_message.h"

namespace nmt {

/// Reads the requests of one connection from its bytes, in whatever pieces they arrive. Includes
/// Boost.Beast: for http_server.cpp only.
class RequestReader {
 public:
  /// Bytes of the request line and headers, which also limit trailers, and of the body.
  RequestReader(size_t max_header, size_t max_body)
      : max_header_(max_header), max_body_(max_body) {}

  void append(std::string_view bytes);

  /// Returns true once a request is complete. Throws HttpError for one that cannot be served; the
  /// rest of the connection is then meaningless.
  bool read();

  /// Whether the client waits for "100 Continue" before it sends the body; true once per request.
  bool takes_continue();

  /// The request that read() found or refused, without peer and id; empty if its header is
  /// incomplete. The bytes after it belong to the next request.
  HttpRequest take();

  /// Properties of that request; before the first one, those of HTTP/1.1.
  bool keeps_alive() const { return keeps_alive_; }
  bool takes_chunks() const { return takes_chunks_; }

  /// received(): bytes of the request being read, 0 between requests; buffered(): also those not
  /// parsed yet.
  size_t received() const { return received_; }
  size_t buffered() const { return input_.size() + received_; }

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  void require_plain_framing();
  void require_one_host();
  void limit_body();

  const size_t max_header_;
  const size_t max_body_;
  std::string input_;  // not parsed yet
  size_t received_ = 0;
  std::optional<Parser> parser_;
  HttpRequest request_;  // without its body; empty until its header is complete
  bool awaits_continue_ = false;
  bool keeps_alive_ = true;
  bool takes_chunks_ = true;
};

}  // namespace nmt
